package import JourneySharing
import Tripwire

extension JourneyStyle {
  /// The colors of the page, which color-blind people can tell apart. The page also gives each kind of
  /// marker a shape and a letter, and each speed of traffic a pattern of dashes.
  package static let page: JourneyStyle = {
    var style = JourneyStyle()
    style.activeRoute.color = MapColor(red: 0x0b, green: 0x57, blue: 0xd0)
    style.activeRoute.width = 3
    style.activeRoute.trafficColors = trafficColors
    style.remainingRoute.width = 3
    style.remainingRoute.trafficColors = trafficColors
    style.pickup.color = MapColor(red: 0x00, green: 0x79, blue: 0x5c)
    style.intermediateDestination.color = MapColor(red: 0xa8, green: 0x56, blue: 0x00)
    style.dropoff.color = MapColor(red: 0x8a, green: 0x2f, blue: 0x6b)
    style.vehicle.color = MapColor(red: 0x0b, green: 0x57, blue: 0xd0)
    return style
  }()

  /// The style of a second observer of the same resources.
  package static let secondObserver: JourneyStyle = {
    var style = page
    style.vehicle.color = MapColor(red: 0x3d, green: 0x48, blue: 0x52)
    return style
  }()

  private static let trafficColors: [SpeedReadingInterval.Speed: MapColor] = [
    .normal: MapColor(red: 0x00, green: 0x9e, blue: 0x73),
    .slow: MapColor(red: 0xe6, green: 0x9f, blue: 0x00),
    .trafficJam: MapColor(red: 0xd5, green: 0x3e, blue: 0x00),
  ]
}

/// An sRGB color with components from 0 to 255.
public struct MapColor: Sendable, Hashable {
  public var red: UInt8
  public var green: UInt8
  public var blue: UInt8
  /// 255 is opaque.
  public var alpha: UInt8

  /// Creates a color; opaque by default.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public static let black = MapColor(red: 0, green: 0, blue: 0)
  public static let white = MapColor(red: 255, green: 255, blue: 255)
  public static let gray = MapColor(red: 128, green: 128, blue: 128)
  public static let red = MapColor(red: 255, green: 0, blue: 0)
  public static let green = MapColor(red: 0, green: 255, blue: 0)
  public static let blue = MapColor(red: 0, green: 0, blue: 255)
  public static let yellow = MapColor(red: 255, green: 255, blue: 0)
  public static let orange = MapColor(red: 255, green: 128, blue: 0)
  /// Fully transparent.
  public static let clear = MapColor(red: 0, green: 0, blue: 0, alpha: 0)

  /// The color without alpha: "#0000ff".
  public var hex: String {
    let digits = Array("0123456789abcdef")
    return [red, green, blue].reduce(into: "#") { text, part in
      text.append(digits[Int(part >> 4)])
      text.append(digits[Int(part & 15)])
    }
  }
}

/// An sRGB color with components from 0 to 255.
public struct MapColor: Sendable, Hashable {
  /// The red component, from 0 to 255.
  public var red: UInt8
  /// The green component, from 0 to 255.
  public var green: UInt8
  /// The blue component, from 0 to 255.
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

  /// Opaque black: "#000000".
  public static let black = MapColor(red: 0, green: 0, blue: 0)
  /// Opaque white: "#ffffff".
  public static let white = MapColor(red: 255, green: 255, blue: 255)
  /// Opaque gray: "#808080".
  public static let gray = MapColor(red: 128, green: 128, blue: 128)
  /// Opaque red: "#ff0000".
  public static let red = MapColor(red: 255, green: 0, blue: 0)
  /// Opaque green: "#00ff00".
  public static let green = MapColor(red: 0, green: 255, blue: 0)
  /// Opaque blue: "#0000ff".
  public static let blue = MapColor(red: 0, green: 0, blue: 255)
  /// Opaque yellow: "#ffff00".
  public static let yellow = MapColor(red: 255, green: 255, blue: 0)
  /// Opaque orange: "#ff8000".
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

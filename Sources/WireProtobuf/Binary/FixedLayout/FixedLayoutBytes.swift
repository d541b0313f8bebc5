/// Reads the fields of a ``FixedLayoutMessage`` from bytes whose bounds were checked before.
///
/// The plugin computed the offsets together with the size, so loads are not checked again.
@safe
public struct _FixedLayoutReader {
  @usableFromInline let start: UnsafeRawPointer

  @inlinable
  init(_ start: UnsafeRawPointer) {
    unsafe self.start = start
  }

  @inlinable
  public func byte(at offset: Int) -> UInt8 {
    unsafe start.load(fromByteOffset: offset, as: UInt8.self)
  }

  @inlinable
  public func fixed64(at offset: Int) -> UInt64 {
    UInt64(littleEndian: unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  @inlinable
  public func fixed32(at offset: Int) -> UInt32 {
    UInt32(littleEndian: unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}

/// Writes the fields of a ``FixedLayoutMessage`` into memory whose size was already checked.
@safe
public struct _FixedLayoutWriter {
  @usableFromInline let start: UnsafeMutableRawPointer

  @inlinable
  init(_ start: UnsafeMutableRawPointer) {
    unsafe self.start = start
  }

  @inlinable
  public func set(_ byte: UInt8, at offset: Int) {
    unsafe start.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
  }

  @inlinable
  public func set(fixed64 value: UInt64, at offset: Int) {
    unsafe start.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt64.self)
  }

  @inlinable
  public func set(fixed32 value: UInt32, at offset: Int) {
    unsafe start.storeBytes(of: value.littleEndian, toByteOffset: offset, as: UInt32.self)
  }
}

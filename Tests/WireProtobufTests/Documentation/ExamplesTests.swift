import TestSupport
import Testing

@testable import WireProtobuf

/// The examples of WireProtobuf.docc, line by line.
@Suite struct ExamplesTests {
  static let cart = Cart(
    owner: "ann", items: [Item(sku: "a-1", count: 2)], updated: Timestamp(seconds: 1),
    discount: .coupon("WINTER"))

  /// Suppresses the output of the examples.
  private func print(_ items: Any...) {}

  @Test func overview() throws {
    var cart = Cart(owner: "ann", items: [Item(sku: "a-1", count: 2)])
    cart.priority = 3
    let bytes = cart.serializedBytes()
    let same = try Cart(serializedBytes: bytes)
    print(try same.jsonString())

    #expect(same == cart)
  }

  // MARK: Reading and writing

  @Test func making() {
    let one = Cart(owner: "ann", items: [Item(sku: "a-1")])
    let other = Cart.with {
      $0.owner = "ann"
      $0.items = [.with { $0.sku = "a-1" }]
    }

    #expect(one == other)
  }
  @Test func makingAOneof() {
    let cheaper = Cart(discount: .coupon("ten"))

    #expect(cheaper.coupon == "ten")
  }

  @Test func presence() {
    var cart = Self.cart
    if let updated = cart.updated {
      print(updated.seconds)
    }
    cart.updated = nil

    #expect(cart.updated == nil)
    cart.updated.orDefault.seconds = 5

    #expect(cart.updated == Timestamp(seconds: 5))
  }

  @Test func oneof() {
    var cart = Self.cart
    switch cart.discount {
    case .coupon(let code): print("coupon \(code)")
    case .percent(let percent): print("\(percent) %")
    case nil: print("no discount")
    }
    cart.percent = 10

    #expect(cart.discount == .percent(10))
  }

  @Test func bytes() throws {
    let cart = Self.cart
    let bytes = cart.serializedBytes()
    let read = try Cart(serializedBytes: bytes)

    #expect(read == cart)
  }

  @Test func slice() throws {
    let cart = Self.cart
    let header = [UInt8](repeating: 0, count: 5)
    let received = header + cart.serializedBytes()
    let payload = try Cart(serializedBytes: received[5...])

    #expect(payload == cart)
  }

  @Test func merging() {
    var cart = Cart(owner: "ann", items: [Item(sku: "a-1")])
    cart.merge(from: Cart(items: [Item(sku: "b-2")], labels: ["gift": "yes"]))
    print(cart.items.count)

    #expect(cart.items.count == 2 && cart.owner == "ann")
  }

  // MARK: JSON

  @Test func writingJSON() throws {
    let cart = Self.cart
    let json = try cart.jsonString()
    let pretty = try cart.jsonString(options: .pretty)
    let utf8 = try cart.jsonUTF8Bytes()

    #expect(Array(json.utf8) == utf8 && pretty.contains("\n"))
  }

  @Test func readingJSON() throws {
    let cart = try Cart(jsonString: #"{"owner": "ann", "items": [{"size": "SIZE_LARGE"}]}"#)
    let same = try Cart(jsonUTF8Bytes: Array(cart.jsonString().utf8))

    #expect(same.items == [Item(size: .large)])
  }

  @Test func ignoringFields() throws {
    var options = JSONDecodingOptions()
    options.ignoresUnknownFields = true
    let cart = try Cart(jsonString: #"{"owner": "ann", "color": "red"}"#, options: options)

    #expect(cart == Cart(owner: "ann"))
  }

  // MARK: Unknown fields

  @Test func showingUnknownFields() throws {
    let cart = try Cart(serializedBytes: hex("A006 05"))
    let fields = cart.unknownFields
    if !fields.isEmpty { print("\(fields.count) unknown: \(fields)") }
    for field in fields.fields { print(field.number, field.value) }

    #expect("\(fields)" == "{100: 5}")
  }

  @Test func droppingUnknownFields() throws {
    let bytes = hex("A006 05")
    var cart = try Cart(serializedBytes: bytes)
    cart.unknownFields.removeAll()
    cart.discardUnknownFields()
    let known = try Cart(
      serializedBytes: bytes, options: DecodingOptions(discardUnknownFields: true))

    #expect(cart == Cart() && known == Cart())
  }

  @Test func leafMessages() throws {
    let bytes = hex("08 01 A006 05")
    var unknownFields = UnknownFields()
    let time = try Timestamp(serializedBytes: bytes, unknownFields: &unknownFields)
    let same = time.serializedBytes(unknownFields: unknownFields)

    #expect(same == bytes)
  }

  // MARK: Any

  @Test func anyMessages() throws {
    var cart = Self.cart
    cart.extra = AnyMessage(packing: Item(sku: "c-3"))
    if let item = try cart.extra?.unpack(Item.self) {
      print(item.sku)
    }

    #expect(cart.extra?.holds(Item.self) == true && cart.extra?.holds(Cart.self) == false)
  }

  @Test func anyInJSON() throws {
    var cart = Self.cart
    cart.extra = AnyMessage(packing: Item(sku: "c-3"))
    let types = TypeRegistry.shopProto
    let json = try cart.jsonString(options: JSONEncodingOptions(types: types))
    let same = try Cart(jsonString: json, options: JSONDecodingOptions(types: types))

    #expect(same == cart)

    let any = AnyMessage(packing: Item(sku: "c-3"))
    let text = try any.jsonString(options: JSONEncodingOptions(types: .shopProto))
    // {"@type":"type.googleapis.com/shop.v1.Item","sku":"c-3"}

    #expect(text == #"{"@type":"type.googleapis.com/shop.v1.Item","sku":"c-3"}"#)

    let two: TypeRegistry = [Item.self, Cart.self]

    #expect(two.type(for: "a/shop.v1.Cart") == Cart.self)
  }

  // MARK: Field masks

  @Test func masks() throws {
    var cart = Self.cart
    let request = UpdateCartRequest(cart: Cart(owner: "bob"))
    let mask = try FieldMask("owner,updated", for: Cart.self)
    do {
      _ = try FieldMask("cart.items.sku", for: UpdateCartRequest.self)
    } catch {
      print(error)
    }
    try cart.merge(from: request.cart ?? Cart(), fieldMask: mask)
    try cart.trim(keeping: mask)

    #expect(cart == Cart(owner: "bob", updated: Self.cart.updated))
    #expect(throws: FieldMaskError.self) {
      try FieldMask("cart.items.sku", for: UpdateCartRequest.self)
    }
  }

  @Test func differences() throws {
    let before = Self.cart
    let after = Cart(owner: "bob", items: before.items)
    let mask = FieldMask(changesFrom: before, to: after)
    let request = UpdateCartRequest(cart: after, updateMask: mask)
    var copy = before
    try copy.merge(from: after, fieldMask: mask, options: .replace)
    print(copy == after)

    #expect(copy == after)
    #expect(request.updateMask?.paths == ["owner", "updated", "coupon"])
  }

  @Test func sets() {
    let both = FieldMask("items,cart.owner").union(FieldMask("cart"))
    let common = FieldMask("items,cart.owner").intersect(FieldMask("cart"))
    print(both.contains("cart.owner"), common.canonical.paths)

    #expect(both.contains("cart.owner") && common.paths == ["cart.owner"])
  }

  // MARK: Errors

  @Test func errors() {
    let bytes = hex("12 05 0A 03 61")
    let json = #"{"owner": 1}"#
    do {
      _ = try Cart(serializedBytes: bytes)
    } catch {
      print(error.reason, error.fieldPath, error.byteOffset)
    }
    do {
      _ = try Cart(jsonString: json)
    } catch {
      print(error.reason, error.fieldPath, error.line, error.column)
    }

    #expect(throws: DecodingError.self) { try Cart(serializedBytes: bytes) }
    #expect(throws: JSONDecodingError.self) { try Cart(jsonString: json) }
  }
}

// The context of the samples of the articles about WireProtobuf.

import WireProtobuf

private let exampleCart = Cart(
  owner: "ann", items: [Item(sku: "a-1", count: 2)], updated: Timestamp(seconds: 1),
  discount: .coupon("WINTER"))

func overview() throws {
  // sample WireProtobuf

  expect(same == cart)
}

// MARK: Reading and writing

func making() {
  // sample ReadingAndWriting

  expect(one == other)
}

func makingAOneof() {
  // sample ReadingAndWriting

  expect(cheaper.coupon == "ten")
}

func presence() {
  var cart = exampleCart
  // sample ReadingAndWriting

  expect(cart.updated == nil)
  // sample ReadingAndWriting

  expect(cart.updated == Timestamp(seconds: 5))
}

func oneof() {
  var cart = exampleCart
  // sample ReadingAndWriting

  expect(cart.discount == .percent(10))
}

func bytes() throws {
  let cart = exampleCart
  // sample ReadingAndWriting

  expect(read == cart)
}

func slice() throws {
  let cart = exampleCart
  // sample ReadingAndWriting

  expect(payload == cart)
}

func merging() {
  // sample ReadingAndWriting

  expect(cart.items.count == 2 && cart.owner == "ann")
}

// MARK: JSON

func writingJSON() throws {
  let cart = exampleCart
  // sample JSON

  expect(Array(json.utf8) == utf8 && pretty.contains("\n"))
}

func readingJSON() throws {
  // sample JSON

  expect(same.items == [Item(size: .large)])
}

func ignoringFields() throws {
  // sample JSON

  expect(cart == Cart(owner: "ann"))
}

// MARK: Unknown fields

func showingUnknownFields() throws {
  let cart = try Cart(serializedBytes: [0xA0, 0x06, 0x05])
  // sample KeepingUnknownFields

  expect("\(fields)" == "{100: 5}")
}

func droppingUnknownFields() throws {
  let bytes: [UInt8] = [0xA0, 0x06, 0x05]
  var cart = try Cart(serializedBytes: bytes)
  // sample KeepingUnknownFields

  expect(cart == Cart() && known == Cart())
}

func leafMessages() throws {
  let bytes: [UInt8] = [0x08, 0x01, 0xA0, 0x06, 0x05]
  // sample KeepingUnknownFields

  expect(same == bytes)
}

// MARK: Any

func anyMessages() throws {
  var cart = exampleCart
  // sample AnyMessages

  expect(cart.extra?.holds(Item.self) == true && cart.extra?.holds(Cart.self) == false)
}

func anyInJSON() throws {
  var cart = exampleCart
  cart.extra = AnyMessage(packing: Item(sku: "c-3"))
  // sample AnyMessages

  expect(same == cart)

  // sample AnyMessages

  // sample AnyMessages

  expect(two.type(for: "a/shop.v1.Cart") == Cart.self)
}

// MARK: Field masks

func masks() throws {
  var cart = exampleCart
  let request = UpdateCartRequest(cart: Cart(owner: "bob"))
  // sample FieldMasks
  // sample FieldMasks

  expect(cart == Cart(owner: "bob", updated: exampleCart.updated))
}

func differences() throws {
  let before = exampleCart
  let after = Cart(owner: "bob", items: before.items)
  // sample FieldMasks

  expect(copy == after)
  expect(request.updateMask?.paths == ["owner", "updated", "coupon"])
}

func sets() {
  // sample FieldMasks

  expect(both.contains("cart.owner") && common.paths == ["cart.owner"])
}

// MARK: Errors

func errors() {
  let bytes: [UInt8] = [0x12, 0x05, 0x0A, 0x03, 0x61]
  let json = #"{"owner": 1}"#
  // sample LimitsAndErrors
}

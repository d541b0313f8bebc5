import Testing

@Suite struct PresenceTests {
  @Test func optionalScalarsAndMessagesHavePresence() {
    var message = Optionals(number: 0, text: "a", scalars: Scalars())
    #expect(message.hasNumber && message.hasText && message.hasScalars)
    #expect(!message.hasColor && !message.hasPoint && !message.hasSpan)
    message.clearNumber()
    message.clearScalars()
    #expect(message == Optionals(text: "a"))
  }

  @Test func wrappersAndBoxesHavePresence() {
    var message = WellKnown(double: 0)
    #expect(message.hasDouble && !message.hasFloat)
    message.clearDouble()
    #expect(message == WellKnown())

    var tree = Tree(left: Tree())
    #expect(tree.hasLeft)
    tree.clearLeft()
    #expect(!tree.hasLeft && tree == Tree())
  }

  @Test func oneofMembersHavePresence() {
    var message = Choices(choice: .number(0))
    #expect(message.hasChoice && message.hasNumber && !message.hasText)
    #expect(message.number == 0 && message.text == nil)
    message.clearText()
    #expect(message.choice == .number(0))
    message.text = "a"
    #expect(message.choice == .text("a"))
    #expect(message.hasText && !message.hasNumber)
    message.number = nil
    #expect(message.choice == .text("a"))
    message.text = nil
    #expect(!message.hasChoice)
  }

  @Test func messagesInOneofsChangeInPlace() {
    var message = Choices(choice: .scalars(Scalars(int32: 1)))
    message.scalars?.string = "a"
    message.point?.x = 1
    #expect(message.choice == .scalars(Scalars(int32: 1, string: "a")))
    message.clearChoice()
    #expect(message == Choices())
  }

  @Test func collidingAccessorsAreRenamed() {
    var message = Awkward(
      kindOneOf: .other(1), type: .init(), hasType: 1, clearWhere: 2, where: 3,
      hasOther: .case(4))
    #expect(message.hasTypeField && message.hasHasType && message.hasWhereField)
    #expect(message.hasOtherField && message.hasCase && message.hasHasOther)
    message.clearTypeField()
    message.clearWhereField()
    message.clearOtherField()
    #expect(message == Awkward(hasType: 1, clearWhere: 2, hasOther: .case(4)))
  }
}

/// A well-known type whose JSON is not an object of its fields.
protocol CustomJSONMessage: Message {}

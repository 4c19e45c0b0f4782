/// How a file stores a piece of metadata, for a file of the same kind to store it in the same way: an identifier, or
/// bytes. It does not count when metadata is compared.
@propertyWrapper
package struct Incidental<Value: Sendable>: Hashable, Sendable {
  package var wrappedValue: Value

  package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  package static func == (one: Self, other: Self) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}

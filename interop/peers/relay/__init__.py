"""A program in place of tripwire-relay, and the messages that it writes."""

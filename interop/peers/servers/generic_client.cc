// A generic client on gRPC's C++ library, for any method.
//
//   generic_client ADDRESS METHOD HEX…
//
// Sends the messages, given in hexadecimal, prints a line for each response, and then the code and message
// of the status.

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <iomanip>
#include <iostream>
#include <sstream>

namespace {

grpc::ByteBuffer from_hex(const std::string& text) {
  std::string bytes;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16)));
  }
  grpc::Slice slice(bytes);
  return grpc::ByteBuffer(&slice, 1);
}

std::string to_hex(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  buffer.Dump(&slices);
  std::ostringstream text;
  for (const auto& slice : slices) {
    for (unsigned char byte : slice) {
      text << std::hex << std::setw(2) << std::setfill('0') << int(byte);
    }
  }
  return text.str();
}

/// Waits for the last operation; returns whether it succeeded.
bool wait(grpc::CompletionQueue& queue) {
  void* tag = nullptr;
  bool is_done = false;
  return queue.Next(&tag, &is_done) && is_done;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  grpc::GenericStub stub(
      grpc::CreateChannel(arguments[1], grpc::InsecureChannelCredentials()));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(10));
  grpc::CompletionQueue queue;
  auto call = stub.PrepareCall(&context, arguments[2], &queue);
  call->StartCall(nullptr);
  bool succeeded = wait(queue);
  for (int i = 3; i < count && succeeded; ++i) {
    call->Write(from_hex(arguments[i]), nullptr);
    succeeded = wait(queue);
  }
  if (succeeded) {
    call->WritesDone(nullptr);
    wait(queue);
  }
  while (true) {
    grpc::ByteBuffer answer;
    call->Read(&answer, nullptr);
    if (!wait(queue)) break;
    std::cout << to_hex(answer) << "\n";
  }
  grpc::Status status;
  call->Finish(&status, nullptr);
  wait(queue);
  std::cout << status.error_code() << " " << status.error_message() << "\n";
}

// grpc.testing.TestService on libgrpc++, as far as our client's cases need it.
//
//     test_service [--host=HOST] [--port=PORT] [--log=FILE] [--key=FILE --chain=FILE]
//
// It equals test_service.py, and also checks whether a request was compressed.

#include <fcntl.h>
#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "grpc/testing/test.grpc.pb.h"

// libgrpc exports this for its own tests, but Debian's headers do not declare it.
extern uint32_t grpc_call_test_only_get_message_flags(grpc_call* call);

// The flags of a message that is, or was, compressed.
constexpr uint32_t kCompressed = 0xC0000000;

namespace grpc::testing {

// grpc::ServerContext declares a friend with this name.
class InteropServerContextInspector {
 public:
  static bool IsCompressed(const grpc::ServerContext& context) {
    return grpc_call_test_only_get_message_flags(context.call_.call) & kCompressed;
  }
};

namespace {

using grpc::ServerContext;
using grpc::Status;


constexpr char kInitial[] = "x-grpc-test-echo-initial";
constexpr char kTrailing[] = "x-grpc-test-echo-trailing-bin";

std::string Header(const ServerContext& context, const char* name) {
  auto found = context.client_metadata().find(name);
  if (found == context.client_metadata().end()) return "";
  return {found->second.data(), found->second.size()};
}

void EchoMetadata(ServerContext* context) {
  if (auto value = Header(*context, kInitial); !value.empty()) {
    context->AddInitialMetadata(kInitial, value);
  }
  if (auto value = Header(*context, kTrailing); !value.empty()) {
    context->AddTrailingMetadata(kTrailing, value);
  }
}

template <typename Request>
Status Echo(ServerContext* context, const Request& request) {
  EchoMetadata(context);
  if (request.has_response_status() && request.response_status().code() != 0) {
    return Status(static_cast<grpc::StatusCode>(request.response_status().code()),
                  request.response_status().message());
  }
  return Status::OK;
}

template <typename Request>
Status CheckCompression(const ServerContext& context, const Request& request) {
  if (!request.has_expect_compressed() ||
      request.expect_compressed().value() == InteropServerContextInspector::IsCompressed(context)) {
    return Status::OK;
  }
  return Status(grpc::INVALID_ARGUMENT, "the compression of the request differs from expect_compressed");
}

class Service final : public TestService::Service {
 public:
  explicit Service(const std::string& log)
      : log_(log.empty() ? -1 : open(log.c_str(), O_WRONLY | O_APPEND | O_CREAT, 0666)) {}

  Status EmptyCall(ServerContext*, const Empty*, Empty*) override { return Status::OK; }

  Status UnaryCall(ServerContext* context, const SimpleRequest* request,
                   SimpleResponse* response) override {
    if (auto status = CheckCompression(*context, *request); !status.ok()) return status;
    if (auto status = Echo(context, *request); !status.ok()) return status;
    if (auto nonce = Header(*context, "x-nonce"); !nonce.empty()) {
      auto before = Header(*context, "grpc-previous-rpc-attempts");
      WriteLog(nonce + " " + (before.empty() ? "0" : before) + "\n");
      response->set_username(nonce);
    }
    if (request->has_response_compressed()) {
      context->set_compression_algorithm(
          request->response_compressed().value() ? GRPC_COMPRESS_GZIP : GRPC_COMPRESS_NONE);
    }
    response->mutable_payload()->mutable_body()->resize(request->response_size());
    return Status::OK;
  }

  Status StreamingOutputCall(ServerContext* context, const StreamingOutputCallRequest* request,
                             grpc::ServerWriter<StreamingOutputCallResponse>* writer) override {
    for (const auto& wanted : request->response_parameters()) {
      if (wanted.has_compressed()) context->set_compression_algorithm(GRPC_COMPRESS_GZIP);
    }
    return Answer(context, *request, writer);
  }

  Status StreamingInputCall(ServerContext* context,
                            grpc::ServerReader<StreamingInputCallRequest>* reader,
                            StreamingInputCallResponse* response) override {
    StreamingInputCallRequest request;
    size_t size = 0;
    while (reader->Read(&request)) {
      if (auto status = CheckCompression(*context, request); !status.ok()) return status;
      size += request.payload().body().size();
    }
    EchoMetadata(context);
    if (auto code = Header(*context, "x-status"); !code.empty()) {
      return Status(static_cast<grpc::StatusCode>(std::stoi(code)), "requested status");
    }
    response->set_aggregated_payload_size(static_cast<int32_t>(size));
    return Status::OK;
  }

  Status FullDuplexCall(
      ServerContext* context,
      grpc::ServerReaderWriter<StreamingOutputCallResponse, StreamingOutputCallRequest>* stream)
      override {
    StreamingOutputCallRequest request;
    while (stream->Read(&request)) {
      if (auto status = Answer(context, request, stream); !status.ok()) return status;
    }
    return Status::OK;
  }

 private:
  Status Answer(ServerContext* context, const StreamingOutputCallRequest& request,
                grpc::internal::WriterInterface<StreamingOutputCallResponse>* writer) {
    if (auto status = Echo(context, request); !status.ok()) return status;
    for (const auto& wanted : request.response_parameters()) {
      std::this_thread::sleep_for(std::chrono::microseconds(wanted.interval_us()));
      StreamingOutputCallResponse response;
      response.mutable_payload()->mutable_body()->resize(wanted.size());
      grpc::WriteOptions options;
      if (!wanted.compressed().value()) options.set_no_compression();
      if (!writer->Write(response, options)) break;
    }
    return Status::OK;
  }

  // Each line is one write, so that a kill loses no line.
  void WriteLog(const std::string& line) {
    if (log_ >= 0 && write(log_, line.data(), line.size()) < 0) perror("the log");
  }

  const int log_;
};

std::string Contents(const std::string& path) {
  std::ostringstream contents;
  contents << std::ifstream(path, std::ios::binary).rdbuf();
  return contents.str();
}

int Serve(std::map<std::string, std::string> flags) {
  auto credentials = grpc::InsecureServerCredentials();
  if (flags.count("key")) {
    grpc::SslServerCredentialsOptions options;
    options.pem_key_cert_pairs.push_back({Contents(flags["key"]), Contents(flags["chain"])});
    credentials = grpc::SslServerCredentials(options);
  }
  const std::string host = flags.count("host") ? flags["host"] : "127.0.0.1";
  const std::string port = flags.count("port") ? flags["port"] : "0";
  int bound = 0;
  Service service(flags["log"]);
  grpc::ServerBuilder builder;
  builder.SetMaxReceiveMessageSize(-1);
  builder.AddListeningPort(host + ":" + port, credentials, &bound);
  builder.RegisterService(&service);
  auto server = builder.BuildAndStart();
  if (!server || bound == 0) {
    fprintf(stderr, "cannot listen at %s:%s\n", host.c_str(), port.c_str());
    return 1;
  }
  printf("%d\n", bound);
  fflush(stdout);
  server->Wait();
  return 0;
}

}  // namespace
}  // namespace grpc::testing

int main(int count, char** words) {
  std::map<std::string, std::string> flags;
  for (int index = 1; index < count; ++index) {
    const std::string word = words[index];
    const auto equals = word.find('=');
    if (word.rfind("--", 0) != 0 || equals == std::string::npos) {
      fprintf(stderr, "\"%s\" is not --name=value\n", word.c_str());
      return 2;
    }
    flags[word.substr(2, equals - 2)] = word.substr(equals + 1);
  }
  return grpc::testing::Serve(flags);
}

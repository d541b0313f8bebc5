// A server on gRPC's C++ library that answers every call with the message in a file, as bytes. It uses
// one of the two APIs: callbacks on gRPC's threads, which gRPC recommends, or a completion queue on one
// thread.
//
//     answerer FILE callback|queue
//
// Prints its port, and exits at the end of standard input.

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <thread>

namespace {

grpc::ByteBuffer message;

class Reactor : public grpc::ServerGenericBidiReactor {
 public:
  Reactor() { StartRead(&request_); }

  void OnReadDone(bool) override { StartWriteAndFinish(&message, {}, grpc::Status::OK); }
  void OnDone() override { delete this; }

 private:
  grpc::ByteBuffer request_;
};

class Callbacks : public grpc::CallbackGenericService {
  grpc::ServerGenericBidiReactor* CreateReactor(grpc::GenericCallbackServerContext*) override {
    return new Reactor();
  }
};

// A call that waits for a request and then handles its events.
class Call {
 public:
  Call(grpc::AsyncGenericService* service, grpc::ServerCompletionQueue* queue)
      : service_(service), queue_(queue), stream_(&context_) {
    service->RequestCall(&context_, &stream_, queue, queue, this);
  }

  void Advance(bool ok) {
    if (!ok || state_ == 2) {
      delete this;
    } else if (state_++ == 0) {
      new Call(service_, queue_);
      stream_.Read(&request_, this);
    } else {
      stream_.WriteAndFinish(message, {}, grpc::Status::OK, this);
    }
  }

 private:
  grpc::AsyncGenericService* service_;
  grpc::ServerCompletionQueue* queue_;
  grpc::GenericServerContext context_;
  grpc::GenericServerAsyncReaderWriter stream_;
  grpc::ByteBuffer request_;
  int state_ = 0;
};

}  // namespace

int main(int, char** arguments) {
  std::ifstream file(arguments[1], std::ios::binary);
  grpc::Slice slice(std::string(std::istreambuf_iterator<char>(file), {}));
  message = grpc::ByteBuffer(&slice, 1);
  const bool has_queue = std::string(arguments[2]) == "queue";

  int port = 0;
  Callbacks callbacks;
  grpc::AsyncGenericService service;
  std::unique_ptr<grpc::ServerCompletionQueue> queue;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  if (has_queue) {
    builder.RegisterAsyncGenericService(&service);
    queue = builder.AddCompletionQueue();
  } else {
    builder.RegisterCallbackGenericService(&callbacks);
  }
  auto server = builder.BuildAndStart();
  std::cout << port << std::endl;
  std::thread loop([&] {
    if (!has_queue) return;
    // The number of streams that h2load keeps open.
    for (int waiting = 0; waiting < 100; ++waiting) new Call(&service, queue.get());
    void* call;
    for (bool ok; queue->Next(&call, &ok);) static_cast<Call*>(call)->Advance(ok);
  });
  std::cin.ignore(std::numeric_limits<std::streamsize>::max());
  server->Shutdown(std::chrono::system_clock::now());
  if (has_queue) queue->Shutdown();
  loop.join();
}

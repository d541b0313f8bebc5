// The counterpart of rpc-benchmark with gRPC's C++ library: one thread, one completion queue.
//
//     calls port=50051 calls=100000 in-flight=100 [cacert=FILE] [decode] [rate=2000]

#include <grpcpp/alarm.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "google/maps/fleetengine/v1/trip_api.grpc.pb.h"

using Clock = std::chrono::steady_clock;
using maps::fleetengine::v1::GetTripRequest;
using maps::fleetengine::v1::Trip;
using maps::fleetengine::v1::TripService;

namespace {

const char *method = "/maps.fleetengine.v1.TripService/GetTrip";

struct Benchmark {
  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<TripService::Stub> typed;
  std::unique_ptr<grpc::GenericStub> generic;
  grpc::CompletionQueue queue;
  GetTripRequest request;
  bool decodes;
  long share, in_flight;
  double interval;
  Clock::time_point start;
  std::vector<unsigned> times;
};

// Makes calls one after another.
struct Worker {
  Benchmark &benchmark;
  long index, turn = 0;
  bool pauses = false;
  grpc::Alarm alarm;
  Clock::time_point begun;
  std::unique_ptr<grpc::ClientContext> context;
  grpc::Status status;
  Trip trip;
  grpc::ByteBuffer bytes;
  std::unique_ptr<grpc::ClientAsyncResponseReader<Trip>> reader;
  std::unique_ptr<grpc::GenericClientAsyncResponseReader> raw;

  Worker(Benchmark &benchmark, long index) : benchmark(benchmark), index(index) {}

  // Returns false when all calls are done.
  bool next() {
    if (turn == benchmark.share) return false;
    if (benchmark.interval > 0) {
      auto due = benchmark.start + std::chrono::duration_cast<Clock::duration>(
          std::chrono::duration<double>(
              benchmark.interval * (turn * benchmark.in_flight + index)));
      pauses = true;
      alarm.Set(&benchmark.queue,
                std::chrono::system_clock::now() +
                    std::chrono::duration_cast<std::chrono::system_clock::duration>(
                        due - Clock::now()),
                this);
    } else {
      call();
    }
    turn++;
    return true;
  }

  void call() {
    pauses = false;
    begun = Clock::now();
    context = std::make_unique<grpc::ClientContext>();
    context->set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
    if (benchmark.decodes) {
      trip = Trip();
      reader = benchmark.typed->AsyncGetTrip(context.get(), benchmark.request, &benchmark.queue);
      reader->Finish(&trip, &status, this);
    } else {
      grpc::Slice slice(benchmark.request.SerializeAsString());
      raw = benchmark.generic->PrepareUnaryCall(
          context.get(), method, grpc::ByteBuffer(&slice, 1), &benchmark.queue);
      raw->StartCall();
      raw->Finish(&bytes, &status, this);
    }
  }

  // Returns false when all calls are done.
  bool proceed() {
    if (pauses) {
      call();
      return true;
    }
    if (!status.ok()) {
      fprintf(stderr, "%s\n", status.error_message().c_str());
      exit(1);
    }
    benchmark.times.push_back(std::chrono::nanoseconds(Clock::now() - begun).count());
    return next();
  }
};

}  // namespace

int main(int count, char **arguments) {
  std::map<std::string, std::string> options;
  for (int i = 1; i < count; i++) {
    std::string argument = arguments[i];
    auto equals = argument.find('=');
    options[argument.substr(0, equals)] =
        equals == std::string::npos ? "" : argument.substr(equals + 1);
  }
  std::shared_ptr<grpc::ChannelCredentials> credentials = grpc::InsecureChannelCredentials();
  if (options.count("cacert")) {
    std::ifstream file(options["cacert"]);
    grpc::SslCredentialsOptions tls;
    tls.pem_root_certs = std::string((std::istreambuf_iterator<char>(file)), {});
    credentials = grpc::SslCredentials(tls);
  }
  Benchmark benchmark;
  benchmark.channel = grpc::CreateChannel("localhost:" + options["port"], credentials);
  benchmark.typed = TripService::NewStub(benchmark.channel);
  benchmark.generic = std::make_unique<grpc::GenericStub>(benchmark.channel);
  benchmark.request.set_name("providers/demo/trips/t1");
  benchmark.decodes = options.count("decode");
  benchmark.in_flight = std::stol(options["in-flight"]);
  benchmark.share = std::stol(options["calls"]) / benchmark.in_flight;
  benchmark.interval = options.count("rate") ? 1 / std::stod(options["rate"]) : 0;

  benchmark.start = Clock::now();
  std::vector<std::unique_ptr<Worker>> workers;
  long busy = 0;
  for (long i = 0; i < benchmark.in_flight; i++) {
    workers.push_back(std::make_unique<Worker>(benchmark, i));
    busy += workers.back()->next();
  }
  void *tag;
  bool ok;
  while (busy > 0 && benchmark.queue.Next(&tag, &ok)) busy -= !((Worker *)tag)->proceed();
  double seconds = std::chrono::duration<double>(Clock::now() - benchmark.start).count();
  auto &times = benchmark.times;
  std::sort(times.begin(), times.end());
  printf("%f %f %f\n", seconds, times[times.size() / 2] / 1e3, times[times.size() * 99 / 100] / 1e3);
}

// What Codec/main.swift does, with C++ protobuf.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "google/maps/fleetengine/v1/trip_api.pb.h"

using Clock = std::chrono::steady_clock;
static volatile size_t kept;

template <typename Body>
static void measure(const char *operation, const char *payload, Body body) {
  auto time = [&](long count) {
    auto start = Clock::now();
    for (long i = 0; i < count; i++) kept = kept + body();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
  };
  long count = 1;
  while (time(count) < 20e6) count *= 2;
  double best = 1e12;
  for (int i = 0; i < 7; i++) best = std::min(best, time(count));
  std::printf("%s %s %f\n", operation, payload, best / count);
}

template <typename M>
static void measure(const char *payload, const std::string &folder) {
  std::ifstream file(folder + "/" + payload + ".pb", std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(file), {});
  M message, copy;
  if (!message.ParseFromString(bytes) || !copy.ParseFromString(bytes)) std::abort();
  measure("decode", payload, [&] {
    M decoded;
    return decoded.ParseFromString(bytes) ? 1 : 0;
  });
  measure("encode", payload, [&] {
    std::string out;
    message.SerializeToString(&out);
    return out.size();
  });
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  using namespace maps::fleetengine::v1;
  for (auto payload : {"trip_small", "trip_medium", "trip_large", "trip_unknown"})
    measure<Trip>(payload, argv[1]);
  measure<SearchTripsResponse>("search_50", argv[1]);
}

// The twin of Codec/main.swift for protobuf's C++ library: the same cases, the same lines.

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "google/maps/fleetengine/v1/trip_api.pb.h"
#include "google/maps/fleetengine/v1/trips.pb.h"

namespace {

std::string Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Keeps the optimiser from seeing that nobody uses a value.
template <class T>
void Use(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

// Least and median of 15 samples of some 4 ms each.
void Measure(const std::string& name, const std::function<void()>& operation) {
  auto nanoseconds = [&](size_t count) {
    auto start = std::chrono::steady_clock::now();
    for (size_t i = 0; i < count; i++) operation();
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    return time.count();
  };
  operation();
  size_t count = 1;
  while (nanoseconds(count) < 4e6) count *= 2;
  std::vector<double> samples;
  for (int i = 0; i < 15; i++) samples.push_back(nanoseconds(count) / count);
  std::sort(samples.begin(), samples.end());
  std::printf("%s %.0f %.0f\n", name.c_str(), samples[0], samples[samples.size() / 2]);
}

template <class M>
void Run(const std::string& payload, const std::string& folder) {
  const std::string bytes = Load(folder + "/" + payload + ".pb");
  M message, twin;
  if (!message.ParseFromString(bytes) || !twin.ParseFromString(bytes)) std::exit(1);
  std::string json;
  if (!google::protobuf::util::MessageToJsonString(message, &json).ok()) std::exit(1);

  Measure(payload + " decode", [&] {
    M decoded;
    decoded.ParseFromString(bytes);
    Use(decoded);
  });
  Measure(payload + " encode", [&] {
    std::string encoded;
    message.SerializeToString(&encoded);
    Use(encoded);
  });
  Measure(payload + " equal", [&] {
    bool equal = google::protobuf::util::MessageDifferencer::Equals(message, twin);
    Use(equal);
  });
  Measure(payload + " to-json", [&] {
    std::string text;
    Use(google::protobuf::util::MessageToJsonString(message, &text));
    Use(text);
  });
  Measure(payload + " from-json", [&] {
    M decoded;
    Use(google::protobuf::util::JsonStringToMessage(json, &decoded));
    Use(decoded);
  });
}

}  // namespace

int main(int, char** arguments) {
  using namespace maps::fleetengine::v1;
  const std::string folder = arguments[1];
  Run<Trip>("trip_small", folder);
  Run<Trip>("trip_medium", folder);
  Run<Trip>("trip_large", folder);
  Run<SearchTripsResponse>("search_50", folder);
  Run<Trip>("trip_unknown", folder);
}

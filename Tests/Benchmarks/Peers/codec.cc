// The counterpart of Codec/main.swift for protobuf's C++ library: the same cases and output.

#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "touch.h"

namespace {

std::string Load(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Prevents the optimizer from removing an unused value.
template <class T>
void Use(const T& value) {
  asm volatile("" : : "r"(&value) : "memory");
}

// Prints the minimum and median of 15 samples of about 4 ms each.
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

struct Case {
  std::string operation;
  std::function<void()> body;
};

template <class M>
std::vector<Case> CasesOf(const std::string& payload, const std::string& folder) {
  const std::string bytes = Load(folder + "/" + payload + ".pb");
  auto message = std::make_shared<M>(), twin = std::make_shared<M>();
  std::string json;
  if (!message->ParseFromString(bytes) || !twin->ParseFromString(bytes) ||
      !google::protobuf::util::MessageToJsonString(*message, &json).ok()) {
    std::fprintf(stderr, "cannot read %s\n", payload.c_str());
    std::exit(2);
  }
  return {
      {"decode",
       [bytes] {
         M decoded;
         decoded.ParseFromString(bytes);
         Use(decoded);
       }},
      {"touch",
       [bytes] {
         M decoded;
         decoded.ParseFromString(bytes);
         double sum = 0;
         touch::Add(sum, decoded);
         Use(sum);
       }},
      {"encode",
       [message] {
         std::string encoded;
         message->SerializeToString(&encoded);
         Use(encoded);
       }},
      {"equal",
       [message, twin] {
         bool equal = google::protobuf::util::MessageDifferencer::Equals(*message, *twin);
         Use(equal);
       }},
      {"to-json",
       [message] {
         std::string text;
         Use(google::protobuf::util::MessageToJsonString(*message, &text));
         Use(text);
       }},
      {"from-json",
       [json] {
         M decoded;
         Use(google::protobuf::util::JsonStringToMessage(json, &decoded));
         Use(decoded);
       }},
  };
}

std::vector<Case> CasesOf(const std::string& payload, const std::string& folder) {
  using namespace maps::fleetengine::v1;
  if (payload == "search_50") return CasesOf<SearchTripsResponse>(payload, folder);
  return CasesOf<Trip>(payload, folder);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string folder = arguments[1];
  if (count == 5) {
    for (const Case& one : CasesOf(arguments[2], folder)) {
      if (one.operation != arguments[3]) continue;
      for (long i = std::atol(arguments[4]); i > 0; i--) one.body();
    }
    return 0;
  }
  for (std::string payload :
       {"trip_small", "trip_medium", "trip_large", "search_50", "trip_unknown"}) {
    for (const Case& one : CasesOf(payload, folder)) {
      Measure(payload + " " + one.operation, one.body);
    }
  }
}

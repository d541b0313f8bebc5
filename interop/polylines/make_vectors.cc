// Generates vectors.txt: polylines encoded by the C++ library S2, and their points in degrees. The tests
// read the file, so this runs only for other vectors. With Debian's libs2-dev:
//
//   g++ -std=c++17 make_vectors.cc -o make_vectors -ls2 -labsl_strings && ./make_vectors >vectors.txt

#include <absl/strings/escaping.h>
#include <s2/s2cell_id.h>
#include <s2/s2latlng.h>
#include <s2/s2polyline.h>

#include <cstdio>
#include <random>
#include <string>
#include <vector>

std::mt19937 dice(20261121);

double between(double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(dice);
}

void print(const char* what, const std::vector<S2Point>& points, bool compact) {
  S2Polyline line;
  line.set_s2debug_override(S2Debug::DISABLE);  // Points may be the same at coarse levels.
  line.Init(points);
  Encoder encoder;
  compact ? line.EncodeMostCompact(&encoder) : line.Encode(&encoder);
  std::string text;
  absl::WebSafeBase64Escape(std::string(encoder.base(), encoder.length()), &text);
  while (text.size() % 4) text += '=';
  std::printf("# %s\n%s", what, text.c_str());
  for (const S2Point& point : points) {
    S2LatLng place(point);
    std::printf(" %.17g,%.17g", place.lat().degrees(), place.lng().degrees());
  }
  std::printf("\n");
}

// Returns a random walk on a face, with a maximum step in degrees.
std::vector<S2Point> walk(int face, int count, double step) {
  S2LatLng start(S2CellId::FromFacePosLevel(face, dice() * (uint64_t{1} << 29), 30).ToPoint());
  double latitude = start.lat().degrees(), longitude = start.lng().degrees();
  std::vector<S2Point> points;
  for (int i = 0; i < count; ++i) {
    points.push_back(S2LatLng::FromDegrees(latitude, longitude).Normalized().ToPoint());
    latitude += between(-step, step);
    longitude += between(-step, step);
  }
  return points;
}

S2Point snapped(const S2Point& point, int level) {
  return S2CellId(point).parent(level).ToPoint();
}

int main() {
  print("empty, version 2", {}, true);
  print("empty, version 1", {}, false);
  for (int level = 0; level <= 30; ++level) {
    for (int face = level % 2; face < 6; face += 2) {
      std::vector<S2Point> points = walk(face, 6, 200.0 / (1 << level));
      for (S2Point& point : points) point = snapped(point, level);
      print(("level " + std::to_string(level)).c_str(), points, true);
    }
  }
  std::vector<S2Point> around;
  for (int i = 0; i < 60; ++i) {
    around.push_back(snapped(S2LatLng::FromDegrees(between(-90, 90), between(-180, 180)).ToPoint(), 22));
  }
  print("all faces", around, true);
  for (int i : {0, 7, 8, 59}) around[i] = S2LatLng::FromDegrees(between(-90, 90), between(-180, 180)).ToPoint();
  print("off-center points among others", around, true);
  std::vector<S2Point> many = walk(4, 400, 0.002);
  for (S2Point& point : many) point = snapped(point, 22);
  print("400 points", many, true);
  print("exact points", walk(0, 5, 1), false);
  print("poles, antimeridian, axes", {
    S2Point(0, 0, 1), S2Point(0, 0, -1), S2Point(-1, 0, 0), S2Point(1, 0, 0), S2Point(0, 1, 0),
    S2Point(0, -1, 0), S2LatLng::FromDegrees(12, 180).ToPoint(),
    S2LatLng::FromDegrees(12, -180).ToPoint()}, false);
  return 0;
}

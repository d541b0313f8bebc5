"use strict";

/** Decodes the polyline algorithm with six decimals into pairs of latitude and longitude. */
function decodePath(text) {
  const points = [];
  let [position, latitude, longitude] = [0, 0, 0];
  const next = () => {
    let [result, shift, byte] = [0, 0, 32];
    while (byte >= 32) {
      byte = text.charCodeAt(position) - 63;
      position += 1;
      result |= (byte & 31) << shift;
      shift += 5;
    }
    return result & 1 ? ~(result >> 1) : result >> 1;
  };
  while (position < text.length) {
    latitude += next();
    longitude += next();
    points.push([latitude / 1e6, longitude / 1e6]);
  }
  return points;
}

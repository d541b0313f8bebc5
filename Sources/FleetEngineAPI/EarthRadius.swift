/// The mean radius of the Earth in meters, of a sphere (IUGG).
package let earthRadius = 6_371_008.8

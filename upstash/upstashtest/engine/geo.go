package engine

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
)

var geoCommands = map[string]native{
	"GEOADD":         {-5, (*Redis).geoAdd},
	"GEOPOS":         {-2, (*Redis).geoPos},
	"GEODIST":        {-4, (*Redis).geoDist},
	"GEOHASH":        {-2, (*Redis).geoHash},
	"GEOSEARCH":      {-7, (*Redis).geoSearch},
	"GEOSEARCHSTORE": {-8, (*Redis).geoSearchStore},

	"GEORADIUS":            {-6, func(e *Redis, p *server.Peer, args []string) bool { return e.geoRadius(p, args, 2) }},
	"GEORADIUS_RO":         {-6, func(e *Redis, p *server.Peer, args []string) bool { return e.geoRadius(p, args, 2) }},
	"GEORADIUSBYMEMBER":    {-5, func(e *Redis, p *server.Peer, args []string) bool { return e.geoRadius(p, args, 1) }},
	"GEORADIUSBYMEMBER_RO": {-5, func(e *Redis, p *server.Peer, args []string) bool { return e.geoRadius(p, args, 1) }},
}

const (
	earthRadius = 6372797.560856 // in meters, the value that Redis uses
	geoBits     = 26             // for each of longitude and latitude
	geoMaxLat   = 85.05112878    // of the Mercator projection
)

// geoUnits are in meters.
var geoUnits = map[string]float64{"m": 1, "km": 1000, "ft": 0.3048, "mi": 1609.34}

const errGeoUnit = "ERR unsupported unit provided. please use M, KM, FT, MI"

// place is a point in degrees.
type place struct{ lon, lat float64 }

// geoEncode interleaves the bits of both coordinates, each scaled to its range.
func geoEncode(at place, maxLat float64) (bits uint64) {
	lon := uint64((at.lon + 180) / 360 * (1 << geoBits))
	lat := uint64((at.lat + maxLat) / (2 * maxLat) * (1 << geoBits))
	for i := range geoBits {
		bits |= (lat>>i&1)<<(2*i) | (lon>>i&1)<<(2*i+1)
	}
	return bits
}

// geoDecode is the middle of the cell that a score encodes.
func geoDecode(score float64) place {
	bits := uint64(score)
	var lon, lat uint64
	for i := range geoBits {
		lat |= (bits >> (2 * i) & 1) << i
		lon |= (bits >> (2*i + 1) & 1) << i
	}
	middle := func(cell uint64, limit float64) float64 {
		low := -limit + float64(cell)/(1<<geoBits)*(2*limit)
		high := -limit + float64(cell+1)/(1<<geoBits)*(2*limit)
		return min(max((low+high)/2, -limit), limit)
	}
	return place{middle(lon, 180), middle(lat, geoMaxLat)}
}

func radians(degrees float64) float64 { return degrees * (math.Pi / 180) }

// distance is the great-circle distance in meters.
func (a place) distance(b place) float64 {
	v := math.Sin((radians(b.lon) - radians(a.lon)) / 2)
	if v == 0 {
		return earthRadius * math.Abs(radians(b.lat)-radians(a.lat))
	}
	u := math.Sin((radians(b.lat) - radians(a.lat)) / 2)
	return 2 * earthRadius * math.Asin(math.Sqrt(u*u+math.Cos(radians(a.lat))*math.Cos(radians(b.lat))*v*v))
}

func geoPlace(lon, lat string) (at place, problem string) {
	var ok1, ok2 bool
	at.lon, ok1 = parseScore(lon)
	at.lat, ok2 = parseScore(lat)
	switch {
	case !ok1 || !ok2:
		return at, errFloat
	case math.Abs(at.lon) > 180 || math.Abs(at.lat) > geoMaxLat:
		return at, fmt.Sprintf("ERR invalid longitude,latitude pair %f,%f", at.lon, at.lat)
	}
	return at, ""
}

// places are the members of a geo index with their scores; empty if the key does not
// exist.
func (e *Redis) places(key string) (set map[string]float64, problem string) {
	if t := e.mini.Type(key); t != "" && t != "zset" {
		return nil, errWrongType
	}
	return e.members(key)
}

func (e *Redis) geoAdd(p *server.Peer, args []string) bool {
	zadd := []string{"ZADD", args[0]}
	rest := args[1:]
	for len(rest) > 0 && (strings.EqualFold(rest[0], "NX") || strings.EqualFold(rest[0], "XX") || strings.EqualFold(rest[0], "CH")) {
		zadd, rest = append(zadd, rest[0]), rest[1:]
	}
	if len(rest)%3 != 0 || hasOption(zadd[2:], "NX") && hasOption(zadd[2:], "XX") {
		return e.refuse(p, errSyntax)
	}
	for ; len(rest) > 0; rest = rest[3:] {
		at, problem := geoPlace(rest[0], rest[1])
		if problem != "" {
			return e.refuse(p, problem)
		}
		zadd = append(zadd, strconv.FormatUint(geoEncode(at, geoMaxLat), 10), rest[2])
	}
	return e.zadd(p, zadd[1:])
}

func (e *Redis) geoPos(p *server.Peer, args []string) bool {
	set, problem := e.places(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	p.WriteLen(len(args) - 1)
	for _, member := range args[1:] {
		score, ok := set[member]
		if !ok {
			e.answer(p, nilList{})
			continue
		}
		e.answer(p, coordinates(geoDecode(score)))
	}
	return true
}

func coordinates(at place) []string { return []string{formatLong(at.lon), formatLong(at.lat)} }

// formatLong prints with 17 decimals, without trailing zeros.
func formatLong(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 17, 64), "0"), ".")
}

func (e *Redis) geoDist(p *server.Peer, args []string) bool {
	unit := 1.0
	if len(args) > 3 {
		var ok bool
		if unit, ok = geoUnits[strings.ToLower(args[3])]; !ok {
			return e.refuse(p, errGeoUnit)
		}
	}
	if len(args) > 4 {
		return e.refuse(p, errSyntax)
	}
	set, problem := e.places(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	a, ok1 := set[args[1]]
	b, ok2 := set[args[2]]
	if !ok1 || !ok2 {
		return e.answer(p, nil)
	}
	return e.answer(p, formatDistance(geoDecode(a).distance(geoDecode(b))/unit))
}

func formatDistance(d float64) string { return strconv.FormatFloat(d, 'f', 4, 64) }

// geoHash encodes latitudes from -90 to 90, unlike scores, into 11 characters, of which
// only 10 carry bits.
func (e *Redis) geoHash(p *server.Peer, args []string) bool {
	const alphabet = "0123456789bcdefghjkmnpqrstuvwxyz"
	set, problem := e.places(args[0])
	if problem != "" {
		return e.refuse(p, problem)
	}
	hashes := []any{}
	for _, member := range args[1:] {
		score, ok := set[member]
		if !ok {
			hashes = append(hashes, nil)
			continue
		}
		bits := geoEncode(geoDecode(score), 90)
		text := make([]byte, 0, 11)
		for i := range 10 {
			text = append(text, alphabet[bits>>(2*geoBits-5*(i+1))&31])
		}
		hashes = append(hashes, string(append(text, alphabet[0])))
	}
	return e.answer(p, hashes)
}

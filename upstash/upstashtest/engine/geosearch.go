package engine

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	"github.com/framedle/leaderboards/upstash/upstashtest/internal/resp"
)

// geoQuery is a parsed GEOSEARCH.
type geoQuery struct {
	from            place
	fromMember      string
	byMember, byPos bool
	radius          float64 // meters; 0 with a box
	width, height   float64
	circle, box     bool
	unit            float64

	sort                          string // ASC, DESC or ""
	count                         int64  // 0 for all
	any                           bool
	withCoord, withDist, withHash bool
	storeDist                     bool
}

type found struct {
	scored
	at       place
	distance float64
}

// parseGeoQuery reads the options of GEOSEARCH, and of GEOSEARCHSTORE.
func parseGeoQuery(name string, args []string) (q geoQuery, problem string) {
	store := name == "GEOSEARCHSTORE"
	for len(args) > 0 {
		used := 1
		switch option := strings.ToUpper(args[0]); {
		case option == "WITHCOORD":
			q.withCoord = true
		case option == "WITHDIST":
			q.withDist = true
		case option == "WITHHASH":
			q.withHash = true
		case option == "STOREDIST" && store:
			q.storeDist = true
		case option == "ANY":
			q.any = true
		case option == "ASC", option == "DESC":
			q.sort = option
		case option == "COUNT" && len(args) > 1:
			var ok bool
			if q.count, ok = resp.Integer(args[1]); !ok {
				return q, errInteger
			}
			if q.count <= 0 {
				return q, "ERR COUNT must be > 0"
			}
			used = 2
		case option == "FROMMEMBER" && len(args) > 1 && !q.byPos && !q.byMember:
			q.fromMember, q.byMember, used = args[1], true, 2
		case option == "FROMLONLAT" && len(args) > 2 && !q.byPos && !q.byMember:
			if q.from, problem = geoPlace(args[1], args[2]); problem != "" {
				return q, problem
			}
			q.byPos, used = true, 3
		case option == "BYRADIUS" && len(args) > 2 && !q.circle && !q.box:
			if problem = q.readShape(args[1:2], args[2]); problem != "" {
				return q, problem
			}
			q.circle, used = true, 3
		case option == "BYBOX" && len(args) > 3 && !q.circle && !q.box:
			if problem = q.readShape(args[1:3], args[3]); problem != "" {
				return q, problem
			}
			q.box, used = true, 4
		default:
			return q, errSyntax
		}
		args = args[used:]
	}
	command := strings.ToLower(name)
	switch {
	case store && (q.withCoord || q.withDist || q.withHash):
		return q, "ERR GEOSEARCHSTORE is not compatible with WITHDIST, WITHHASH and WITHCOORD options"
	case !q.byMember && !q.byPos:
		return q, "ERR exactly one of FROMMEMBER or FROMLONLAT can be specified for " + command
	case !q.circle && !q.box:
		return q, "ERR exactly one of BYRADIUS and BYBOX can be specified for " + command
	case q.any && q.count == 0:
		return q, "ERR the ANY argument requires COUNT argument"
	}
	if q.count > 0 && q.sort == "" && !q.any {
		q.sort = "ASC"
	}
	return q, ""
}

func (q *geoQuery) readShape(sizes []string, unit string) (problem string) {
	names := []string{"radius"}
	into := []*float64{&q.radius}
	negative := "ERR radius cannot be negative"
	if len(sizes) == 2 {
		names, into = []string{"width", "height"}, []*float64{&q.width, &q.height}
		negative = "ERR height or width cannot be negative"
	}
	for i, size := range sizes {
		var ok bool
		if *into[i], ok = parseScore(size); !ok {
			return "ERR need numeric " + names[i]
		}
	}
	for _, size := range into {
		if *size < 0 {
			return negative
		}
	}
	var ok bool
	if q.unit, ok = geoUnits[strings.ToLower(unit)]; !ok {
		return errGeoUnit
	}
	for _, size := range into {
		*size *= q.unit
	}
	return ""
}

// matches reports whether a place lies within the shape, and its distance from the
// center.
func (q *geoQuery) matches(at place) (distance float64, ok bool) {
	distance = q.from.distance(at)
	if q.circle {
		return distance, distance <= q.radius
	}
	tall := earthRadius * math.Abs(radians(at.lat)-radians(q.from.lat))
	wide := at.distance(place{q.from.lon, at.lat})
	return distance, tall <= q.height/2 && wide <= q.width/2
}

// search finds the members that match a query.
func (e *Redis) search(key string, q geoQuery) (list []found, problem string) {
	set, problem := e.places(key)
	if problem != "" {
		return nil, problem
	}
	if q.byMember && len(set) > 0 {
		score, ok := set[q.fromMember]
		if !ok {
			return nil, "ERR could not decode requested zset member"
		}
		q.from = geoDecode(score)
	}
	for _, s := range sorted(set) {
		at := geoDecode(s.score)
		if distance, ok := q.matches(at); ok {
			list = append(list, found{s, at, distance})
		}
	}
	slices.SortStableFunc(list, func(a, b found) int {
		switch q.sort {
		case "ASC":
			return cmp.Compare(a.distance, b.distance)
		case "DESC":
			return cmp.Compare(b.distance, a.distance)
		}
		return 0
	})
	if q.count > 0 {
		list = list[:min(int64(len(list)), q.count)]
	}
	return list, ""
}

func (e *Redis) geoSearch(p *server.Peer, args []string) bool {
	if _, problem := e.places(args[0]); problem != "" {
		return e.refuse(p, problem)
	}
	q, problem := parseGeoQuery("GEOSEARCH", args[1:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	list, problem := e.search(args[0], q)
	if problem != "" {
		return e.refuse(p, problem)
	}
	items := []any{}
	for _, f := range list {
		if !q.withCoord && !q.withDist && !q.withHash {
			items = append(items, f.member)
			continue
		}
		item := []any{f.member}
		if q.withDist {
			item = append(item, formatDistance(f.distance/q.unit))
		}
		if q.withHash {
			item = append(item, int64(f.score))
		}
		if q.withCoord {
			item = append(item, coordinates(f.at))
		}
		items = append(items, item)
	}
	return e.answer(p, items)
}

func (e *Redis) geoSearchStore(p *server.Peer, args []string) bool {
	if _, problem := e.places(args[1]); problem != "" {
		return e.refuse(p, problem)
	}
	q, problem := parseGeoQuery("GEOSEARCHSTORE", args[2:])
	if problem != "" {
		return e.refuse(p, problem)
	}
	list, problem := e.search(args[1], q)
	if problem != "" {
		return e.refuse(p, problem)
	}
	set := make([]scored, len(list))
	for i, f := range list {
		set[i] = f.scored
		if q.storeDist {
			set[i].score = f.distance / q.unit
		}
	}
	return e.replaceSorted(p, args[0], set)
}

// geoRadius is the older form of a search (GEORADIUS): key, the center in center words,
// radius, unit, options.
func (e *Redis) geoRadius(p *server.Peer, args []string, center int) bool {
	query := append([]string{"FROMLONLAT"}, args[1:1+center]...)
	if center == 1 {
		query[0] = "FROMMEMBER"
	}
	query = append(query, "BYRADIUS", args[1+center], args[2+center])
	dest := ""
	for rest := args[3+center:]; len(rest) > 0; rest = rest[1:] {
		byDistance := strings.EqualFold(rest[0], "STOREDIST")
		if len(rest) < 2 || !byDistance && !strings.EqualFold(rest[0], "STORE") {
			query = append(query, rest[0])
			continue
		}
		if dest, rest = rest[1], rest[1:]; byDistance {
			query = append(query, "STOREDIST")
		}
	}
	if dest != "" {
		return e.geoSearchStore(p, append([]string{dest, args[0]}, query...))
	}
	return e.geoSearch(p, append(args[:1:1], query...))
}

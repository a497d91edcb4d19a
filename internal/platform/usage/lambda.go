package usage

import (
	"fmt"
	"strings"
	"time"
)

// Lambda is what AWS bills for the calls of a function on a day. It is zero for processes that
// run elsewhere or have reported nothing.
type Lambda struct {
	Calls        int64
	Requests     int64 // those that came through the gateway
	Milliseconds int64 // as billed: rounded up for each call; without cold starts
	Memory       int64 // megabytes × Milliseconds
	ColdStarts   int64
	Logged       int64 // bytes of lines
	Answered     int64 // bytes of answers' bodies
	Awake        int64 // calls that asked Postgres
}

func (l *Lambda) fields() [8]*int64 {
	return [...]*int64{&l.Calls, &l.Requests, &l.Milliseconds, &l.Memory, &l.ColdStarts, &l.Logged, &l.Answered, &l.Awake}
}

func (l *Lambda) count(c Call, memoryMB int64) {
	ms := int64((c.Duration + time.Millisecond - 1) / time.Millisecond)
	l.Calls++
	l.Requests += one(c.request)
	l.Milliseconds += ms
	l.Memory += ms * memoryMB
	l.ColdStarts += one(c.Cold)
	l.Logged += c.Logged
	l.Answered += c.Answered
	l.Awake += one(c.Queries > 0)
}

// Add adds what another process has reported.
func (l *Lambda) Add(more Lambda) {
	into, from := l.fields(), more.fields()
	addNumbers(into[:], from[:])
}

func (l Lambda) String() string {
	all := l.fields()
	return packNumbers(all[:])
}

// parseLambda reads what String packs. It ignores further numbers, which a later version may
// write.
func parseLambda(text string) (l Lambda, err error) {
	fields := l.fields()
	numbers := strings.Split(text, " ")
	if len(numbers) < len(fields) {
		return Lambda{}, fmt.Errorf("%.80q has %d numbers; want %d", text, len(numbers), len(fields))
	}
	if wrong := unpackNumbers(numbers[:len(fields)], fields[:]); wrong > 0 {
		return Lambda{}, fmt.Errorf("%.80q: number %d must be whole and not below 0", text, wrong)
	}
	return l, nil
}

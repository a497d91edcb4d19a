package limit

import (
	"net"
	"net/netip"
	"strings"
)

// caller is one caller under one rule, with everything that decides about its requests. Times
// are Unix nanoseconds.
type caller struct {
	rule       Rule
	id         string
	granted    window
	unreported int           // how many of the granted this process has not reported to Redis yet; below 0: how many it has reported in excess
	elsewhere  *shared       // nil until Redis was asked
	until      int64         // when a pause ends that another process has begun
	mustAsk    bool          // the last question ended with a refusal
	busy       chan struct{} // closed when the question in progress is answered; nil: there is none
}

type verdict int

const (
	grant verdict = iota
	refuse
	ask
)

// decide says what to do with n more of what the rule counts.
func (c *caller) decide(now int64, n int) verdict {
	length := int64(c.rule.Window)
	c.granted.drop(now, length)
	if c.until > now+length { // no pause is that long: the clock was moved
		c.until = 0
	}
	used := c.granted.count()
	c.unreported = min(c.unreported, used)
	if c.elsewhere != nil && c.elsewhere.slot != now/c.rule.slot() {
		c.unreported = max(c.unreported, 0) // what was reported in excess is in an earlier slot, which leaves the window first
	}
	if used+c.othersAt(now)+n > c.rule.Count || c.until > now {
		return refuse
	}
	if c.rule.Shared && (c.mustAsk || c.unreported+n >= c.rule.unreported()) {
		return ask
	}
	return grant
}

func (c *caller) othersAt(at int64) int {
	if c.elsewhere == nil {
		return 0
	}
	return c.elsewhere.othersAt(at / c.rule.slot())
}

// question is the question to Redis whether n more may pass.
func (c *caller) question(now int64, n int) Ask {
	a := Ask{Rule: c.rule, Caller: c.id, Now: now}
	if c.rule.Pause {
		return a
	}
	a.Add = max(c.unreported+n, 0)
	if c.elsewhere == nil {
		c.elsewhere = &shared{slot: -1}
	}
	a.Slot = now / c.rule.slot()
	c.elsewhere.enter(a.Slot)
	a.Create = !c.elsewhere.exists
	return a
}

// learn notes the answer, and reports whether the n more may pass. Redis has counted what it
// was sent, even if they may not.
func (c *caller) learn(a Ask, got Answer, n int) (passes bool) {
	if c.rule.Pause {
		if c.until = got.Until; c.until > a.Now+int64(c.rule.Window) {
			c.until = 0 // no pause is that long: the clock was moved
		}
		return c.until <= a.Now
	}
	if c.elsewhere.learn(a, got) {
		c.unreported -= a.Add
	}
	c.mustAsk = c.granted.count()+c.othersAt(a.Now)+n > c.rule.Count
	return !c.mustAsk
}

// add counts n that may pass.
func (c *caller) add(now int64, n int) {
	c.granted.add(now, int64(c.rule.Window), n)
	c.unreported += n
}

// takeBack uncounts n that passed at a time. In Redis they stay counted; the caller's next
// requests in the same slot are then not reported.
func (c *caller) takeBack(at int64, n int) {
	c.unreported -= c.granted.takeBack(at, n)
	if c.elsewhere != nil && c.elsewhere.slot != at/c.rule.slot() {
		c.unreported = max(c.unreported, 0)
	}
}

// correct changes n that passed at a time to what was spent.
func (c *caller) correct(at int64, n, spent int) {
	if spent > n {
		c.add(at, spent-n)
	} else {
		c.takeBack(at, n-spent)
	}
}

// remaining is how many more may pass now, as far as this process knows.
func (c *caller) remaining(now int64) int {
	return max(0, c.rule.Count-c.granted.count()-c.othersAt(now))
}

// opens is when n more may pass, as far as this process knows: now or later. If n is more than
// the rule ever lets pass, it is when the window is empty.
func (c *caller) opens(now int64, n int) int64 {
	length, slot := int64(c.rule.Window), c.rule.slot()
	at := max(now, c.until)
	for c.granted.countAt(at, length)+c.othersAt(at) > max(c.rule.Count-n, 0) {
		next := (at/slot + 1) * slot // the next slot begins
		for _, cell := range c.granted.cells {
			if end := cell.last + length; end > at {
				next = min(next, end)
			}
		}
		at = next
	}
	return at
}

// ipv6Bits is how many bits of an IPv6 address identify a caller: providers give each customer
// a whole /64 network.
const ipv6Bits = 64

// Address is where a request came from: the IPv4 address, or the IPv6 network.
//
// remote is the address of the connection, host:port, as the host gives it. hops is how many
// proxies of the deployment add to X-Forwarded-For; forwarded are the lines of that header. The
// caller is the entry that many places from the right. Entries further left come from the
// client, which may write anything there, so they are ignored. If the entry is missing or is no
// address, the request has not come through the proxies, and remote counts.
//
// The zero Prefix is not counted. It is for requests within the process, which have no address,
// and for the machine itself: a connection from 127.0.0.1 or ::1 to a process without proxies.
// Behind proxies every caller is counted, so no header can avoid a limit.
func Address(remote string, forwarded []string, hops int) netip.Prefix {
	if hops > 0 {
		entries := strings.Split(strings.Join(forwarded, ","), ",")
		if at := len(entries) - hops; at >= 0 {
			if p := caller64(entries[at]); p.IsValid() {
				return p
			}
		}
	}
	p := caller64(remote)
	if hops <= 0 && p.IsValid() && isLocal(p.Addr()) {
		return netip.Prefix{}
	}
	return p
}

// isLocal reports whether a connection comes from this machine. The network of ::1 counts as
// ::1, since no other address of that network is in use.
func isLocal(ip netip.Addr) bool {
	return ip == netip.AddrFrom4([4]byte{127, 0, 0, 1}) || ip == netip.IPv6Unspecified()
}

// caller64 reads an address with or without a port. If the text is no address, it returns the
// zero Prefix.
func caller64(text string) netip.Prefix {
	text = strings.TrimSpace(text)
	if host, _, err := net.SplitHostPort(text); err == nil {
		text = host
	}
	text = strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Prefix{}
	}
	ip = ip.Unmap().WithZone("")
	bits := ip.BitLen()
	if ip.Is6() {
		bits = ipv6Bits
	}
	p, _ := ip.Prefix(bits) // fails only for more bits than the address has
	return p
}

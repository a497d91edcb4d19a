package upstash

// op is the form of a call on the wire.
type op uint8

const (
	opDo op = iota
	opPipeline
	opMultiExec
	opListen
)

func (o op) String() string {
	switch o {
	case opPipeline:
		return "pipeline"
	case opMultiExec:
		return "multi-exec"
	case opListen:
		return "listen"
	}
	return "do"
}

// request is one call: what each of its attempts sends.
type request struct {
	op     op
	cmds   []Command
	source bool // scripts are sent as EVAL with their source
}

// safe reports whether every command of the call may be sent twice.
func (r request) safe() bool { return allSafe(r.cmds) }

// readOnly reports whether no command of the call can change anything.
func (r request) readOnly() bool {
	for i := range r.cmds {
		if r.cmds[i].script != nil || !reads(r.cmds[i].name()) {
			return false
		}
	}
	return true
}

// heavy reports whether a command of the call may keep the database busy for seconds, so that
// silence says nothing about the connection.
func (r request) heavy() bool {
	for i := range r.cmds {
		if heavy(r.cmds[i].name()) {
			return true
		}
	}
	return false
}

// refusedForNow reports by again whether commands of a pipeline or transaction were refused
// because the database takes no writes for the moment, and all its other commands may be
// repeated. applied is true if one of the others may have changed something.
func (r request) refusedForNow(reply Reply) (applied, again bool) {
	if r.op == opDo {
		return false, false
	}
	for i, item := range reply.items {
		switch cmd := r.cmds[i]; {
		case item.kind == replyError && writesRefused(item.text):
			again = true
		case !cmd.safe():
			return false, false
		case cmd.idempotent:
			applied = true
		}
	}
	return applied, again
}

// innerCalls returns the number of commands that the call's scripts called, according to their
// answers. replies has one element for each command, or is nil if there were no answers.
func (r request) innerCalls(replies []Reply) int64 {
	var sum int64
	for i := range replies {
		s := r.cmds[i].script
		if s == nil || s.calls == nil || replies[i].kind == replyError && !partlyApplied(replies[i].text, true) {
			continue
		}
		sum += int64(max(0, s.calls(replies[i])))
	}
	return sum
}

// billedName is the name by which command i is sent and billed.
func (r request) billedName(i int) string {
	if r.source && r.cmds[i].script != nil {
		return "EVAL"
	}
	return r.cmds[i].name()
}

package upstash

// op is the form a call takes on the wire.
type op uint8

const (
	opDo op = iota
	opPipeline
	opMultiExec
)

func (o op) String() string {
	switch o {
	case opPipeline:
		return "pipeline"
	case opMultiExec:
		return "multi-exec"
	}
	return "do"
}

// request is one call: what every attempt of it sends.
type request struct {
	op     op
	cmds   []Command
	source bool // scripts go out as EVAL with their source
}

// readOnly reports whether no command of the call can change anything.
func (r request) readOnly() bool {
	for i := range r.cmds {
		if r.cmds[i].script != nil || !reads(r.cmds[i].name()) {
			return false
		}
	}
	return true
}

// innerCalls is what the scripts among the commands called, judging by their
// answers: one for each command, or nil when there were none.
func (r request) innerCalls(replies []Reply) int64 {
	var sum int64
	for i := range replies {
		s := r.cmds[i].script
		if s == nil || s.calls == nil || replies[i].kind == replyError {
			continue
		}
		sum += int64(max(0, s.calls(replies[i])))
	}
	return sum
}

// bill adds what one exchange of this request costs, inner calls apart.
func (r request) bill(add func(name string, n int64)) {
	if r.op == opMultiExec {
		add("MULTI", 1)
		add("EXEC", 1)
	}
	for i := range r.cmds {
		cmd := &r.cmds[i]
		name := cmd.name()
		if cmd.script != nil && r.source {
			name = "EVAL"
		}
		if !free(name) {
			add(name, 1)
		}
	}
}

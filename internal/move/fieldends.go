package move

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/framedle/leaderboards/upstash"
)

// FieldEndsError is returned for a hash with a field that expires by itself, which
// the product never makes and which would live for ever in the target.
type FieldEndsError struct{ Key, Field string }

func (e *FieldEndsError) Error() string {
	return fmt.Sprintf("the field %q of the hash %q expires by itself, which the leaderboards never ask for: the source holds something else's data, too; move that by its own means and delete the key, or let the field live by HPERSIST", e.Field, e.Key)
}

// hashPage is a page of a hash.
type hashPage struct {
	key    string
	fields []entry
}

// refuseFieldEnds asks whether fields of hashes expire by themselves. An engine that
// does not know the question has no such fields, and is asked once.
func (r *run) refuseFieldEnds(ctx context.Context, pages []hashPage) error {
	if len(pages) == 0 || r.noFieldEnds {
		return nil
	}
	var commands []upstash.Command
	for _, p := range pages {
		words := []string{"HPEXPIRETIME", p.key, "FIELDS", strconv.Itoa(len(p.fields))}
		for _, f := range p.fields {
			words = append(words, f.name)
		}
		commands = append(commands, upstash.Cmd(words...))
	}
	result, err := r.From.Pipeline(ctx, commands...)
	if err != nil {
		return err
	}
	for i, p := range pages {
		if err := result.ErrOf(i); err != nil {
			if r.noFieldEnds = isUnknownCommand(err); r.noFieldEnds {
				return nil
			}
			return err
		}
		if result.Replies[i].IsNil() {
			continue // it has just been deleted
		}
		ends, err := result.Replies[i].Array()
		if err != nil || len(ends) != len(p.fields) {
			return unexpected("HPEXPIRETIME", err)
		}
		for j, end := range ends {
			at, err := end.Int64()
			if err != nil {
				return unexpected("HPEXPIRETIME", err)
			}
			if at >= 0 {
				return &FieldEndsError{p.key, p.fields[j].name}
			}
		}
	}
	return nil
}

// isUnknownCommand reads the words of Redis and those of Upstash.
func isUnknownCommand(err error) bool {
	text := strings.ToLower(err.Error())
	return strings.Contains(text, "unknown command") || strings.Contains(text, "command is not available")
}

package move

import (
	"context"
	"fmt"
	"slices"

	"github.com/framedle/leaderboards/upstash"
)

// compareAll compares every key of the source with the target, copies differing keys again,
// and deletes keys from the target that the source does not have.
func (r *run) compareAll(ctx context.Context) error {
	for cursor := firstCursor; cursor != ""; {
		names, next, err := page(ctx, r.From, cursor)
		if err != nil {
			return err
		}
		if err := r.eachKey(ctx, names, r.compareKeys); err != nil {
			return err
		}
		cursor = next
		r.report.Keys += int64(len(names))
		r.reportProgress(Progress{Keys: r.report.Keys, Total: r.total, Comparing: true})
	}
	for cursor := firstCursor; cursor != ""; {
		names, next, err := page(ctx, r.To, cursor)
		if err != nil {
			return err
		}
		for some := range slices.Chunk(names, handled) {
			if err := r.deleteForeign(ctx, some); err != nil {
				return err
			}
		}
		cursor = next
	}
	return nil
}

// compareKeys compares keys, copies those that differ once more, and compares those again.
func (r *run) compareKeys(ctx context.Context, keys []key) error {
	differ, err := r.differing(ctx, keys)
	if err != nil || len(differ) == 0 {
		return err
	}
	if err := r.copyKeys(ctx, differ); err != nil {
		return err
	}
	for _, k := range differ {
		r.report.Repaired = append(r.report.Repaired, k.name)
	}
	if differ, err = r.differing(ctx, differ); err != nil || len(differ) == 0 || r.Live {
		return err
	}
	return fmt.Errorf("%q differs in the target although it was copied again: something writes to the source or to the target", differ[0].name)
}

// differing returns the keys that differ in the target, except those that have expired or were
// deleted in the source since they were listed.
func (r *run) differing(ctx context.Context, keys []key) ([]key, error) {
	var names []string
	for _, k := range keys {
		names = append(names, k.name)
	}
	there, err := look(ctx, r.To, names)
	if err != nil {
		return nil, fmt.Errorf("look at the target: %w", err)
	}
	wrong := map[string]bool{}
	var alike []key
	for _, k := range keys {
		if there[k.name] != k {
			wrong[k.name] = true
			continue
		}
		alike = append(alike, k)
	}
	var asks []keyPage
	answer := func() error {
		unlike, err := r.unlike(ctx, asks)
		for _, name := range unlike {
			wrong[name] = true
		}
		asks = nil
		return err
	}
	err = r.contents(ctx, alike, func(k key, page []entry) error {
		if asks = append(asks, keyPage{k, page}); len(asks) == handled {
			return answer()
		}
		return nil
	})
	if err == nil {
		err = answer()
	}
	if err != nil {
		return nil, fmt.Errorf("compare keys: %w", err)
	}
	var differ []key
	for _, k := range keys {
		if wrong[k.name] {
			differ = append(differ, k)
		}
	}
	if len(differ) == 0 {
		return nil, nil
	}
	names = nil
	for _, k := range differ {
		names = append(names, k.name)
	}
	now, err := look(ctx, r.From, names)
	if err != nil {
		return nil, fmt.Errorf("look at the source: %w", err)
	}
	return slices.DeleteFunc(differ, func(k key) bool { _, lives := now[k.name]; return !lives }), nil
}

// keyPage is a page of a key of the source that the target should have.
type keyPage struct {
	key
	page []entry
}

// unlike returns the names of the keys with a page that differs in the target.
func (r *run) unlike(ctx context.Context, asks []keyPage) (names []string, err error) {
	var commands []upstash.Command
	for _, a := range asks {
		commands = append(commands, a.kind.find(a.name, a.page))
	}
	replies, err := pipeline(ctx, r.To, commands)
	if err != nil {
		return nil, err
	}
	for i, a := range asks {
		same, err := a.kind.same(a.page, replies[i])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", a.name, err)
		}
		if !same {
			names = append(names, a.name)
		}
	}
	return names, nil
}

// deleteForeign deletes those of some keys of the target that the source does not have: they
// were deleted in the source after they had been copied.
func (r *run) deleteForeign(ctx context.Context, names []string) error {
	reply, err := r.From.Do(ctx, upstash.Cmd(append([]string{"EXISTS"}, names...)...))
	if err != nil {
		return fmt.Errorf("look at the source: %w", err)
	}
	if n, err := reply.Int64(); err != nil || n == int64(len(names)) {
		return err
	}
	there, err := look(ctx, r.From, names)
	if err != nil {
		return fmt.Errorf("look at the source: %w", err)
	}
	var deletes []upstash.Command
	for _, name := range names {
		if _, ok := there[name]; !ok {
			deletes = append(deletes, upstash.Cmd("DEL", name).Idempotent())
			r.report.Deleted++
		}
	}
	_, err = pipeline(ctx, r.To, deletes)
	return err
}

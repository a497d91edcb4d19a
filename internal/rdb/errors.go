package rdb

import (
	"errors"
	"fmt"
)

// ErrVanished is returned when the player's entry was removed between the write and the read.
var ErrVanished = errors.New("the entry was removed while it was written")

func WrongShape(want string, got int) error {
	return fmt.Errorf("redis answered %d values where %s was due", got, want)
}

func Wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}

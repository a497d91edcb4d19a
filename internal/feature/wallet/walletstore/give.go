package walletstore

import "context"

// Give gives the owner of a device what the device has earned, in both stores. What the archive
// knows of days that Redis has forgotten comes first, as the total in Redis follows it.
func (s *Store) Give(ctx context.Context, device, player string) (err error) {
	if !s.Books.Enabled() {
		return nil
	}
	oldest := s.Books.Oldest() // once for all: midnight may pass meanwhile
	var older map[string]int64
	if s.Archive != nil {
		if older, err = In(s.Archive).GiveOlder(ctx, device, player, oldest); err != nil {
			return err
		}
	}
	parts, err := s.Books.Give(ctx, device, player, oldest, older)
	if err != nil || s.Archive == nil {
		return err
	}
	days := make([]EarnedAmount, len(parts))
	for i, p := range parts {
		days[i] = EarnedAmount{Day: p.Day, Currency: p.Currency, Amount: p.Amount}
	}
	return In(s.Archive).Give(ctx, device, player, days)
}

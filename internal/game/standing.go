package game

// Percentile is the share of players at or below a rank, in percent rounded
// to two decimals: 100*(total-rank+1)/total. The first of 4 has 100 and the
// last has 25. A rank outside 1..total is taken for the nearest one inside,
// and an empty board has 0.
func Percentile(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	return share(total-within(rank, total)+1, total)
}

// TopPercent is the x of "top x%", in percent rounded to two decimals:
// 100*rank/total, with the same limits as [Percentile].
func TopPercent(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	return share(within(rank, total), total)
}

func within(rank, total int64) int64 { return min(max(rank, 1), total) }

// share is 100*part/total in hundredths, halves rounded up: in integers, so
// that every machine and every test answers alike. Totals stay below 2^48.
func share(part, total int64) float64 {
	return float64((2*10_000*part+total)/(2*total)) / 100
}

// SharedRanks are the standard competition ranks (1, 2, 2, 4) of a run of a
// board: scores is best first, and first is the 1-based position of scores[0]
// among all entries. Equal scores share the position of the first of them in
// the run, and the next score has its own position.
//
// Where scores[0] has ties before the run, the caller knows better: the ranks
// of the leading equal scores are then 1 + the number of strictly better
// entries, whatever the run says.
func SharedRanks(scores []Score, first int64) []int64 {
	ranks := make([]int64, len(scores))
	for i, s := range scores {
		if i > 0 && s == scores[i-1] {
			ranks[i] = ranks[i-1]
		} else {
			ranks[i] = first + int64(i)
		}
	}
	return ranks
}

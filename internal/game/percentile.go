package game

// leastShare is what the smallest share is rounded to. Nobody on a board has 0.
const leastShare = 0.01

// Percentile is the share of players at or below a rank, in percent rounded to two decimals:
// 100*(total-rank+1)/total. The first of 4 has 100 and the last has 25. However many players
// there are, only the first has 100, and nobody has 0. A rank outside 1..total counts as the
// nearest one inside, and an empty board has 0.
func Percentile(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	if rank <= 1 {
		return 100
	}
	return min(share(total-within(rank, total)+1, total), 100-leastShare)
}

// TopPercent is the x of "top x%", in percent rounded to two decimals:
// 100*rank/total. Nobody has 0; for the rest as with [Percentile].
func TopPercent(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	return share(within(rank, total), total)
}

func within(rank, total int64) int64 { return min(max(rank, 1), total) }

// share is 100*part/total in hundredths, halves rounded up, and at least [leastShare]. It computes in integers, so that
// every machine and every test gets the same. Totals stay below 2^48.
func share(part, total int64) float64 {
	return max(float64((2*10_000*part+total)/(2*total))/100, leastShare)
}

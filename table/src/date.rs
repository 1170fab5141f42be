//! Dates as numbers of days.

/// The days from 1970-01-01 to a date of the Gregorian calendar; `None` if there is no such date.
///
/// ```
/// assert_eq!(table::days_of(1970, 1, 1), Some(0));
/// assert_eq!(table::days_of(2000, 2, 29), Some(11_016));
/// assert_eq!(table::days_of(1900, 2, 29), None);
/// ```
pub fn days_of(year: u16, month: u8, day: u8) -> Option<i32> {
    if day == 0 || day > days_in(year, month)? {
        return None;
    }
    // Years begin in March here, so that the leap day is the last one.
    // The algorithm: https://howardhinnant.github.io/date_algorithms.html#days_from_civil
    let (year, month, day) = (i32::from(year), i32::from(month), i32::from(day));
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// How many days a month has; `None` if there is no such month.
fn days_in(year: u16, month: u8) -> Option<u8> {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    Some(match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    })
}

/// A number of days from 1970-01-01 as `1851-06-21`.
///
/// ```
/// assert_eq!(table::iso_date(11_016), "2000-02-29");
/// ```
pub fn iso_date(days: i32) -> String {
    // https://howardhinnant.github.io/date_algorithms.html#civil_from_days
    let days = i64::from(days) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn days_that_there_are_not_are_none() {
        for (year, month, day) in [(2001, 2, 29), (2000, 4, 31), (2000, 0, 1), (2000, 13, 1), (2000, 1, 0)] {
            assert_eq!(days_of(year, month, day), None);
        }
    }

    #[test]
    fn one_day_follows_the_other() {
        let mut expected = days_of(1, 1, 1).unwrap();
        for year in 1..2200 {
            for month in 1..=12 {
                for day in 1..=days_in(year, month).unwrap() {
                    assert_eq!(days_of(year, month, day), Some(expected));
                    expected += 1;
                }
            }
        }
    }

    proptest! {
        #[test]
        fn dates_come_back(year: u16, month in 1u8..=12, day in 1u8..=31) {
            if let Some(days) = days_of(year, month, day) {
                prop_assert_eq!(iso_date(days), format!("{year:04}-{month:02}-{day:02}"));
            }
        }
    }
}

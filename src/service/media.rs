//! The media types of requests and responses: application/json and text/json (§4, D40).

/// A media type that an order is sent and answered in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Media {
    ApplicationJson,
    TextJson,
}

impl Media {
    /// As it stands in Content-Type; without a charset text is not taken for UTF-8 everywhere.
    pub(crate) fn content_type(self) -> &'static str {
        match self {
            Self::ApplicationJson => "application/json",
            Self::TextJson => "text/json; charset=utf-8",
        }
    }

    /// The type a Content-Type header names: one of the two, in UTF-8.
    pub(crate) fn of_body(content_type: &str) -> Option<Self> {
        let (essence, parameters) = parse(content_type);
        let utf8 = parameters.iter().all(|(name, value)| {
            !name.eq_ignore_ascii_case("charset")
                || value.eq_ignore_ascii_case("utf-8")
                || value.eq_ignore_ascii_case("utf8")
        });
        let media = [Self::ApplicationJson, Self::TextJson].into_iter().find(|media| media.is(essence));
        media.filter(|_| utf8)
    }

    /// The type that Accept headers prefer; application/json where both are as good (RFC 9110 §12.5.1).
    pub(crate) fn preferred<'h>(accept: impl Iterator<Item = &'h str>) -> Option<Self> {
        let ranges: Vec<_> =
            accept.flat_map(split_list).filter(|range| !range.is_empty()).map(Range::parse).collect();
        if ranges.is_empty() {
            return Some(Self::ApplicationJson);
        }
        let weight = |media: Self| {
            let matching = ranges.iter().filter(|range| range.specificity(media).is_some());
            matching.max_by_key(|range| range.specificity(media)).map_or(0, |range| range.weight)
        };
        match (weight(Self::ApplicationJson), weight(Self::TextJson)) {
            (0, 0) => None,
            (application, text) if application >= text => Some(Self::ApplicationJson),
            _ => Some(Self::TextJson),
        }
    }

    fn is(self, essence: &str) -> bool {
        let own = match self {
            Self::ApplicationJson => "application/json",
            Self::TextJson => "text/json",
        };
        own.eq_ignore_ascii_case(essence)
    }
}

/// One entry of an Accept header.
struct Range<'h> {
    essence: &'h str,
    /// In thousandths, as q is written.
    weight: u16,
}

impl<'h> Range<'h> {
    fn parse(text: &'h str) -> Self {
        let (essence, parameters) = parse(text);
        let q = parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case("q"));
        Self { essence, weight: q.map_or(1000, |(_, value)| thousandths(value)) }
    }

    /// How closely it names the type; nothing where it does not.
    fn specificity(&self, media: Media) -> Option<u8> {
        let group = match media {
            Media::ApplicationJson => "application/*",
            Media::TextJson => "text/*",
        };
        match self.essence {
            essence if media.is(essence) => Some(2),
            essence if essence.eq_ignore_ascii_case(group) => Some(1),
            "*/*" => Some(0),
            _ => None,
        }
    }
}

/// Type and subtype, and the parameters; what is no parameter is left out.
fn parse(text: &str) -> (&str, Vec<(&str, &str)>) {
    let mut parts = text.split(';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let parameters = parts.filter_map(|part| part.split_once('='));
    (essence, parameters.map(|(name, value)| (name.trim(), value.trim().trim_matches('"'))).collect())
}

fn split_list(header: &str) -> impl Iterator<Item = &str> {
    header.split(',').map(str::trim)
}

/// `0.75` → 750; what is no weight counts as none given.
fn thousandths(text: &str) -> u16 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = [whole, fraction, "000"].concat();
    let digits = digits.get(..whole.len() + 3).and_then(|digits| digits.parse().ok());
    digits.filter(|weight| *weight <= 1000).unwrap_or(1000)
}

#[cfg(test)]
mod tests {
    use super::Media::{self, ApplicationJson, TextJson};

    #[test]
    fn a_body_is_json_in_utf_8() {
        for (header, media) in [
            ("application/json", Some(ApplicationJson)),
            ("Application/JSON ; charset=UTF-8", Some(ApplicationJson)),
            ("text/json;charset=\"utf-8\"", Some(TextJson)),
            ("application/json; charset=iso-8859-1", None),
            ("application/json; profile=x", Some(ApplicationJson)),
            ("application/xml", None),
            ("application/problem+json", None),
            ("text/plain", None),
            ("json", None),
            ("", None),
        ] {
            assert_eq!(Media::of_body(header), media, "{header}");
        }
    }

    #[test]
    fn an_answer_is_what_the_caller_prefers() {
        for (headers, media) in [
            (&[][..], Some(ApplicationJson)),
            (&[""], Some(ApplicationJson)),
            (&["*/*"], Some(ApplicationJson)),
            (&["application/json"], Some(ApplicationJson)),
            (&["text/json"], Some(TextJson)),
            (&["TEXT/*"], Some(TextJson)),
            (&["text/json, application/json"], Some(ApplicationJson)),
            (&["application/json;q=0.5, text/json;q=0.75"], Some(TextJson)),
            (&["application/json;q=0.5", "text/json"], Some(TextJson)),
            (&["application/json;q=0, */*"], Some(TextJson)),
            (&["*/*;q=0"], None),
            (&["application/json;q=0"], None),
            (&["text/html, application/xml;q=0.9"], None),
            (&["text/html, */*;q=0.1"], Some(ApplicationJson)),
        ] {
            assert_eq!(Media::preferred(headers.iter().copied()), media, "{headers:?}");
        }
    }
}

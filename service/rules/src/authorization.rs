//! Who sent a request, and what they may do (§5).

use std::sync::Arc;

use headers::authorization::{Basic, Bearer};
use headers::{Authorization, HeaderMapExt as _};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use time::OffsetDateTime;

use sales_order_intake::Guid;

use crate::problem::Problem;
use crate::registry::{Grant, Integrator, Location, Registry};
use crate::token::TokenHash;

/// Why an order is forbidden, with the member that is the reason.
pub enum Forbidden {
    /// The token does not cover the company or the integrator.
    NotCovered(&'static str),
    /// The token covers the order, but the registry does not list the location or the integrator; another
    /// registry may have listed it.
    NotListed(&'static str),
}

/// Identifies the sender of a request by the header Authorization; returns what they may do.
///
/// # Errors
/// Returns the problem if the token is missing, unknown, disabled or expired.
pub fn identify(
    headers: &HeaderMap,
    registry: &Registry,
    now: OffsetDateTime,
) -> Result<Arc<Grant>, Problem> {
    if headers.get_all(AUTHORIZATION).iter().count() > 1 {
        return Err(Problem::unauthenticated("Send only one Authorization header."));
    }
    let authorization = headers
        .typed_try_get::<Authorization<Bearer>>()
        .map_err(|_| Problem::unauthenticated("The Authorization scheme must be Bearer."))?
        .ok_or_else(|| Problem::unauthenticated("Send Authorization: Bearer <ACCESS_TOKEN>."))?;
    let grant = authenticate(registry, authorization.token())
        .ok_or_else(|| Problem::unauthenticated("The token is unknown."))?;
    if grant.disabled {
        return Err(Problem::unauthenticated("The token is disabled."));
    }
    if grant.expires.is_some_and(|expires| now >= expires) {
        return Err(Problem::unauthenticated("The token has expired."));
    }
    Ok(grant)
}

/// Identifies a person by the password that a browser asks for, which is the token; the name does not matter.
/// Programs may send it as a bearer token here, too.
///
/// # Errors
/// Returns the problem if the token is missing, unknown, disabled or expired. It makes a browser ask for the
/// password.
pub fn identify_in_browser(
    headers: &HeaderMap,
    registry: &Registry,
    now: OffsetDateTime,
) -> Result<Arc<Grant>, Problem> {
    let bearer = headers
        .typed_get::<Authorization<Basic>>()
        .and_then(|basic| Authorization::bearer(basic.password()).ok());
    let mut headers = headers.clone();
    if let Some(bearer) = bearer {
        headers.typed_insert(bearer);
    }
    identify(&headers, registry, now).map_err(Problem::and_ask_for_password)
}

/// Returns what the bearer of a token may do, or `None` if the registry does not list the token.
pub fn authenticate(registry: &Registry, token: &str) -> Option<Arc<Grant>> {
    let grants = registry.grants();
    let position = TokenHash::of(token).position_among(grants.iter().map(|grant| grant.token))?;
    grants.get(position).map(Arc::clone)
}

/// Looks up the location and the integrator of an order, if the token covers them.
///
/// A member that is `None` is not looked up: it is missing or invalid, which the rules report.
///
/// # Errors
/// Returns [`Forbidden`] if the token is not for the company or the integrator, or if the registry does not
/// list the location or the integrator.
pub fn authorize<'r>(
    grant: &Grant,
    registry: &'r Registry,
    company: Option<u32>,
    entity: Option<u32>,
    integrator: Option<Guid>,
) -> Result<(Option<&'r Location>, Option<&'r Integrator>), Forbidden> {
    if !is_covered(grant.companies.as_deref(), company) {
        return Err(Forbidden::NotCovered("CompanyId"));
    }
    if !is_covered(grant.integrators.as_deref(), integrator) {
        return Err(Forbidden::NotCovered("IntegratorId"));
    }
    let location = company
        .zip(entity)
        .map(|(company, entity)| registry.location(company, entity).ok_or(Forbidden::NotListed("EntityId")));
    let integrator = integrator.map(|id| registry.integrator(id).ok_or(Forbidden::NotListed("IntegratorId")));
    Ok((location.transpose()?, integrator.transpose()?))
}

/// Returns true if the member is not looked up, or if the token is for all of them, or for this one.
fn is_covered<Id: PartialEq>(covered: Option<&[Id]>, id: Option<Id>) -> bool {
    id.zip(covered).is_none_or(|(id, covered)| covered.contains(&id))
}

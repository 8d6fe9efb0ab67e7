//! `token`: creates a token.

use std::io::{self, Write as _};

use super::failure::Failure;
use service_rules::token::Token;

pub(super) fn print_new_token() -> Result<(), Failure> {
    let token = Token::new_random()?;
    let (token, hash) = (token.reveal(), token.hash());
    writeln!(
        io::stdout(),
        "The token, shown only this once:\n\n  {token}\n\nFor the registry; fill in name, integrators and companies:\n\n\
        [[tokens]]\nname = \"\"\nsha256 = \"{hash}\"\nintegrators = []\ncompanies = []"
    )?;
    Ok(())
}

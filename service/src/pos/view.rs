//! Reads the orders of one response, from the cache if possible.

use axum::body::Bytes;
use axum::http::Response;
use service_rules::pos::{Page, PosLocation, StoredHead};
use tokio::task::spawn_blocking;

use super::resources::Key;
use crate::state::AppState;
use crate::store::StoreError;

/// Returns the response: the newest orders before a receipt number, within the limits.
pub(super) async fn view(
    app: &AppState,
    pos: &PosLocation<'_>,
    before: i64,
) -> Result<Response<Vec<Bytes>>, StoreError> {
    let listed = app.store.list((pos.company, pos.entity), before).await?;
    let mut page = Page::new(pos);
    for order in listed {
        let receipt = order.receipt;
        if !page.has_room_for(&order) || !page.add(receipt, show(app, pos, order).await) {
            return Ok(page.response(true));
        }
    }
    Ok(page.response(false))
}

/// Returns the JSON of an order.
async fn show(app: &AppState, pos: &PosLocation<'_>, stored: StoredHead) -> Bytes {
    let view = match pos.view(&stored, &app.registry()) {
        Ok(view) => view,
        Err(hidden) => return hidden.into(),
    };
    let location = (pos.company, pos.entity);
    let key = Key { location, receipt: stored.receipt, options: view.hash };
    let cached = || app.views.cache().get(&key);
    if let Some(shown) = cached() {
        return shown;
    }
    let permit = app.views.preview_permit().await;
    // Another request may have shown it meanwhile.
    if let Some(shown) = cached() {
        return shown;
    }
    let unreadable = stored.unreadable().into();
    let body = match app.store.body(location, stored.receipt).await {
        Ok(Some(body)) => body,
        Ok(None) => return unreadable,
        Err(error) => {
            tracing::error!(receipt = stored.receipt, %error, "order not read");
            return unreadable;
        }
    };
    let views = app.views.clone();
    let shown = spawn_blocking(move || {
        let shown: Bytes = view.show(&stored, &body).into();
        views.cache().insert(key, shown.clone());
        // Held by the thread, because the request may end earlier.
        drop(permit);
        shown
    });
    // The only error of the task itself is a panic.
    shown.await.unwrap_or(unreadable)
}

//! Many clients and several processes at once: every order is created once, and no receipt number is lost
//! (D28).

use std::collections::BTreeMap;

use tokio::task::JoinSet;

use crate::database::Database;
use crate::server_process::{RegistryFile, ServerProcess};
use crate::test_server::{new_id, order, v3};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_can_start_at_the_same_time_on_an_empty_database() {
    let registry = RegistryFile::new("start-at-once");
    for _ in 0..5 {
        let database = Database::new().await;
        let start = || ServerProcess::start(&registry, &database, &[]);
        let (one, two, three) = tokio::join!(start(), start(), start());
        let id = new_id();
        for (process, status) in [(&one, 201), (&two, 200), (&three, 200)] {
            let response = process.client.put(&v3(id), &[], order(id).to_string()).await;
            assert_eq!(response.status, status, "{}", response.body);
        }
        for process in [one, two, three] {
            assert_eq!(process.terminate().await, "");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_one_of_two_orders_with_the_same_id_is_created_and_no_number_is_lost() {
    let (registry, database) = (RegistryFile::new("one-id"), Database::new().await);
    let one = ServerProcess::start(&registry, &database, &[]).await;
    let two = ServerProcess::start(&registry, &database, &[]).await;
    let mut senders = JoinSet::new();
    for _ in 0..100 {
        let id = new_id();
        for (process, entity) in [(&one, 2301), (&two, 2302), (&one, 2302), (&two, 2301)] {
            let client = process.client.clone();
            senders.spawn(async move {
                let mut order = order(id);
                order["EntityId"] = entity.into();
                (id, client.put(&v3(id), &[], order.to_string()).await.status)
            });
        }
    }
    let mut by_id = BTreeMap::<_, Vec<_>>::new();
    for (id, status) in senders.join_all().await {
        by_id.entry(id).or_default().push(status);
    }
    for (id, mut statuses) in by_id {
        statuses.sort_unstable();
        assert_eq!(statuses, [200, 201, 409, 409], "{id}");
    }
    let orders = database.orders().await;
    let receipts: Vec<_> = orders.iter().map(|(_, receipt, _)| *receipt).collect();
    let at_first_location = receipts.iter().skip(1).take_while(|receipt| **receipt != 1).count() + 1;
    let numbers = |count: usize| 1..=i64::try_from(count).expect("a few");
    assert_eq!(receipts, Vec::from_iter(numbers(at_first_location).chain(numbers(100 - at_first_location))));
}

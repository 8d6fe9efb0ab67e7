CREATE TABLE IF NOT EXISTS orders (
    id         BLOB    NOT NULL PRIMARY KEY,
    company    INTEGER NOT NULL,
    entity     INTEGER NOT NULL,
    receipt    INTEGER NOT NULL,
    integrator BLOB    NOT NULL,
    version    TEXT    NOT NULL,
    -- Recognizes the order when it is sent again (D28).
    digest     BLOB    NOT NULL,
    -- As it was returned when it was created.
    body       TEXT    NOT NULL,
    UNIQUE (company, entity, receipt)
) STRICT;

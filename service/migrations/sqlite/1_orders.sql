-- How many receipts a location has given out; changed in the same transaction as the order, so that none is missing.
CREATE TABLE receipts (
    company INTEGER NOT NULL,
    entity  INTEGER NOT NULL,
    last    INTEGER NOT NULL,
    PRIMARY KEY (company, entity)
) STRICT, WITHOUT ROWID;

CREATE TABLE orders (
    id         BLOB    NOT NULL PRIMARY KEY,
    company    INTEGER NOT NULL,
    entity     INTEGER NOT NULL,
    receipt    INTEGER NOT NULL,
    integrator BLOB    NOT NULL,
    version    TEXT    NOT NULL,
    -- What makes it the same as another order (D28).
    digest     BLOB    NOT NULL,
    -- As it was answered.
    body       TEXT    NOT NULL,
    UNIQUE (company, entity, receipt)
) STRICT;

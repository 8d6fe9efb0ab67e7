-- Held until the end of the transaction: processes that start at the same time would both create the tables.
SELECT pg_advisory_xact_lock(7025938114052817);

-- The last receipt number of each location. Its row is locked while an order of the location is stored, so that none is missing.
CREATE TABLE IF NOT EXISTS receipts (
    company integer NOT NULL,
    entity  integer NOT NULL,
    last    bigint  NOT NULL,
    PRIMARY KEY (company, entity)
);

CREATE TABLE IF NOT EXISTS orders (
    id         bytea   NOT NULL PRIMARY KEY,
    company    integer NOT NULL,
    entity     integer NOT NULL,
    receipt    bigint  NOT NULL,
    integrator bytea   NOT NULL,
    version    text    NOT NULL,
    -- Recognizes the order when it is sent again (D28).
    digest     bytea   NOT NULL,
    -- As it was returned when it was created.
    body       text    NOT NULL,
    UNIQUE (company, entity, receipt)
);

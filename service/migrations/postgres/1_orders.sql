-- How many receipts a location has given out; changed in the same transaction as the order, so that none is missing.
CREATE TABLE receipts (
    company integer NOT NULL,
    entity  integer NOT NULL,
    last    bigint  NOT NULL,
    PRIMARY KEY (company, entity)
);

CREATE TABLE orders (
    id         bytea   NOT NULL PRIMARY KEY,
    company    integer NOT NULL,
    entity     integer NOT NULL,
    receipt    bigint  NOT NULL,
    integrator bytea   NOT NULL,
    version    text    NOT NULL,
    -- What makes it the same as another order (D28).
    digest     bytea   NOT NULL,
    -- As it was answered.
    body       text    NOT NULL,
    UNIQUE (company, entity, receipt)
);

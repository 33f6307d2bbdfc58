/**
 * A shop for bicycles. Schema, tables and columns have the names of the original, which PostgreSQL folds to lower case; all
 * rows are generated, the same for every database.
 */
export const shop = {
  schema: 'saleslt',
  script: `
create schema saleslt;

create table saleslt.address (
  addressid integer primary key,
  addressline1 text not null,
  city text not null,
  countryregion text not null,
  postalcode text not null
);
insert into saleslt.address
select n, format('%s %s', (array['Harbour Street', 'Mill Lane', 'Station Road', 'High Street', 'Park Avenue', 'Church Hill'])[1 + n % 6], 1 + n * 7 % 180),
  (array['Lisbon', 'Ghent', 'Turku', 'Graz', 'Utrecht', 'Brno', 'Lyon', 'Aarhus'])[1 + n * 5 % 8],
  (array['Portugal', 'Belgium', 'Finland', 'Austria', 'Netherlands', 'Czechia', 'France', 'Denmark'])[1 + n * 5 % 8],
  lpad((10000 + n * 37 % 89999)::text, 5, '0')
from generate_series(1, 450) as n;

create table saleslt.customer (
  customerid integer primary key,
  firstname text not null,
  lastname text not null,
  companyname text,
  emailaddress text not null unique,
  phone text not null
);
insert into saleslt.customer
select n, first, last, case when n % 3 = 0 then format('%s Cycles', last) end,
  format('%s.%s.%s@example.com', lower(first), lower(last), n), format('555-01%s-%s', lpad((n % 100)::text, 2, '0'), lpad((n * 71 % 10000)::text, 4, '0'))
from (
  select n, (array['Ada', 'Bruno', 'Chiara', 'Dagny', 'Emil', 'Fatima', 'Goran', 'Hanna', 'Ines', 'Jonas', 'Keiko', 'Luis', 'Maja', 'Nils', 'Olga', 'Pavel'])[1 + n % 16] as first,
    (array['Almeida', 'Berg', 'Costa', 'Dubois', 'Eriksen', 'Fischer', 'Garcia', 'Horvat', 'Ivanov', 'Jansen', 'Kowalska'])[1 + n * 3 % 11] as last
  from generate_series(1, 850) as n) as person;

create table saleslt.customeraddress (
  customerid integer not null references saleslt.customer,
  addressid integer not null references saleslt.address,
  addresstype text not null,
  primary key (customerid, addressid)
);
insert into saleslt.customeraddress
select n, 1 + n * 11 % 450, (array['Main Office', 'Shipping'])[1 + n % 2] from generate_series(1, 850) as n;

create table saleslt.productcategory (
  productcategoryid integer primary key,
  parentproductcategoryid integer references saleslt.productcategory,
  name text not null unique
);
insert into saleslt.productcategory values
  (1, null, 'Bikes'), (2, null, 'Components'), (3, null, 'Clothing'), (4, null, 'Accessories'),
  (5, 1, 'City Bikes'), (6, 1, 'Road Bikes'), (7, 1, 'Cargo Bikes'), (8, 2, 'Brakes'), (9, 2, 'Wheels'), (10, 2, 'Saddles'),
  (11, 3, 'Jackets'), (12, 3, 'Gloves'), (13, 4, 'Lights'), (14, 4, 'Locks'), (15, 4, 'Pumps');

create table saleslt.product (
  productid integer primary key,
  name text not null unique,
  productnumber text not null unique,
  color text,
  standardcost numeric(12, 2) not null,
  listprice numeric(12, 2) not null,
  productcategoryid integer not null references saleslt.productcategory,
  sellstartdate date not null
);
insert into saleslt.product
select n, format('%s %s %s', (array['Alder', 'Birch', 'Cedar', 'Elm', 'Hazel', 'Larch', 'Maple'])[1 + n % 7], rtrim(c.name, 's'), 100 + n),
  format('%s-%s', upper(left(replace(c.name, ' ', ''), 2)), lpad(n::text, 4, '0')),
  (array['Black', 'Blue', 'Green', 'Red', null])[1 + n % 5], round(price * 0.6, 2), price, c.productcategoryid,
  date '2023-01-01' + n * 3 % 700
from generate_series(1, 300) as n
  join saleslt.productcategory as c on c.productcategoryid = 5 + n % 11
  cross join lateral (select (case c.parentproductcategoryid when 1 then 600 when 2 then 40 else 15 end + n * 13 % 97 + 0.99)::numeric(12, 2) as price) as priced;

create table saleslt.salesorderheader (
  salesorderid integer primary key,
  orderdate date not null,
  shipdate date,
  status smallint not null,
  customerid integer not null references saleslt.customer,
  shiptoaddressid integer references saleslt.address,
  subtotal numeric(12, 2) not null default 0,
  freight numeric(12, 2) not null default 0
);
insert into saleslt.salesorderheader (salesorderid, orderdate, shipdate, status, customerid, shiptoaddressid)
select 70000 + n, ordered, case when n <= 1900 then ordered + 1 + n % 6 end, case when n <= 1900 then 5 else 1 end, customer, 1 + customer * 11 % 450
from generate_series(1, 2000) as n
  cross join lateral (select date '2024-01-01' + n / 3 as ordered, 1 + n * 17 % 850 as customer) as o;

create table saleslt.salesorderdetail (
  salesorderid integer not null references saleslt.salesorderheader,
  salesorderdetailid integer not null,
  orderqty smallint not null check (orderqty > 0),
  productid integer not null references saleslt.product,
  unitprice numeric(12, 2) not null,
  linetotal numeric(12, 2) generated always as (orderqty * unitprice) stored,
  primary key (salesorderid, salesorderdetailid)
);
insert into saleslt.salesorderdetail (salesorderid, salesorderdetailid, orderqty, productid, unitprice)
select h.salesorderid, line, 1 + (h.salesorderid + line) % 4, p.productid, p.listprice
from saleslt.salesorderheader as h cross join lateral generate_series(1, 1 + h.salesorderid % 5) as line
  join saleslt.product as p on p.productid = 1 + (h.salesorderid * 7 + line * 41) % 300;
create index on saleslt.salesorderdetail (productid);
create index on saleslt.salesorderheader (customerid);

update saleslt.salesorderheader as h set subtotal = total, freight = round(total / 40, 2)
from (select salesorderid, sum(linetotal) as total from saleslt.salesorderdetail group by 1) as d where d.salesorderid = h.salesorderid;
`,
} as const

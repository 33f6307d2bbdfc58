/**
 * An importer and wholesaler of novelty goods, in two sizes. Names are those of the original, folded to lower case; all rows
 * are generated, the same for every database.
 */
export const importer = (orders: number) => ({
  schema: 'warehouse',
  script: script.replaceAll(':orders', String(orders)),
})

const script = `
create schema application;
create schema purchasing;
create schema warehouse;
create schema sales;

create table application.cities (
  cityid integer primary key,
  cityname text not null,
  countryname text not null,
  latestrecordedpopulation bigint not null
);
insert into application.cities
select n, format('%s%s', (array['North', 'South', 'East', 'West', 'New ', 'Old ', 'Upper ', 'Lower '])[1 + n % 8],
    (array['ford', 'haven', 'bridge', 'field', 'mouth', 'minster', 'wick', 'stead', 'holm'])[1 + n * 5 % 9]),
  (array['Arcadia', 'Borduria', 'Carinthia', 'Dalmatia', 'Elysia'])[1 + n % 5], 2000 + n * 7919 % 900000
from generate_series(1, 400) as n;

create table purchasing.suppliers (
  supplierid integer primary key,
  suppliername text not null unique,
  deliverycityid integer not null references application.cities,
  paymentdays integer not null
);
insert into purchasing.suppliers
select n, format('%s %s', (array['Amber', 'Cobalt', 'Copper', 'Indigo', 'Scarlet', 'Silver'])[1 + n % 6], (array['Toys', 'Packaging', 'Novelties', 'Textiles', 'Electronics'])[1 + n / 6 % 5]),
  1 + n * 13 % 400, (array[7, 14, 30])[1 + n % 3]
from generate_series(1, 30) as n;

create table warehouse.stockitems (
  stockitemid integer primary key,
  stockitemname text not null unique,
  supplierid integer not null references purchasing.suppliers,
  unitprice numeric(12, 2) not null,
  taxrate numeric(5, 2) not null,
  typicalweightperunit numeric(8, 3) not null
);
insert into warehouse.stockitems
select n, format('%s %s, no. %s', (array['Red', 'Blue', 'Folding', 'Glowing', 'Musical', 'Giant', 'Pocket'])[1 + n % 7], (array['umbrella', 'mug', 'kite', 'lantern', 'notebook', 'puzzle', 'slippers', 'clock'])[1 + n * 3 % 8], n),
  1 + n % 30, 2 + n * 19 % 240 + 0.5, case when n % 9 = 0 then 7 else 20 end, 0.05 + n % 40 * 0.1
from generate_series(1, 230) as n;

create table warehouse.stockitemholdings (
  stockitemid integer primary key references warehouse.stockitems,
  quantityonhand integer not null,
  reorderlevel integer not null
);
insert into warehouse.stockitemholdings select stockitemid, stockitemid * 173 % 9000, 50 + stockitemid % 200 from warehouse.stockitems;

create table sales.customers (
  customerid integer primary key,
  customername text not null unique,
  deliverycityid integer not null references application.cities,
  creditlimit numeric(12, 2),
  accountopeneddate date not null
);
insert into sales.customers
select n, format('%s %s (%s)', (array['Harbour', 'Meadow', 'Summit', 'Lakeside', 'Corner'])[1 + n % 5], (array['Gifts', 'Toys', 'Books and More', 'Department Store'])[1 + n / 5 % 4], n),
  1 + n * 7 % 400, case when n % 4 > 0 then 1000 + n * 31 % 40 * 100 end, date '2021-01-01' + n % 900
from generate_series(1, 660) as n;

create table sales.orders (
  orderid integer primary key,
  customerid integer not null references sales.customers,
  orderdate date not null,
  expecteddeliverydate date not null,
  pickingcompletedwhen timestamptz
);
insert into sales.orders
select n, 1 + (n * 7919::bigint % 660)::int, ordered, ordered + 1 + n % 3, case when n % 50 > 0 then ordered + time '11:00' end
from generate_series(1, :orders) as n
  cross join lateral (select date '2022-01-01' + (n * 1095::bigint / :orders)::int as ordered) as o;
create index on sales.orders (customerid);

create table sales.orderlines (
  orderid integer not null references sales.orders,
  orderlineid integer not null,
  stockitemid integer not null references warehouse.stockitems,
  quantity integer not null check (quantity > 0),
  unitprice numeric(12, 2) not null,
  taxrate numeric(5, 2) not null,
  primary key (orderid, orderlineid)
);
insert into sales.orderlines
select o.orderid, line, s.stockitemid, 1 + (o.orderid + line * 3) % 24, s.unitprice, s.taxrate
from sales.orders as o cross join lateral generate_series(1, 1 + o.orderid % 5) as line
  join warehouse.stockitems as s on s.stockitemid = 1 + (o.orderid * 3 + line * 61) % 230;
create index on sales.orderlines (stockitemid);

create table sales.invoices (
  invoiceid integer primary key,
  orderid integer not null unique references sales.orders,
  invoicedate date not null,
  totalexcludingtax numeric(12, 2) not null,
  taxamount numeric(12, 2) not null
);
insert into sales.invoices
select o.orderid, o.orderid, o.expecteddeliverydate, sum(quantity * unitprice), round(sum(quantity * unitprice * taxrate / 100), 2)
from sales.orders as o join sales.orderlines using (orderid) where pickingcompletedwhen is not null group by o.orderid;
`

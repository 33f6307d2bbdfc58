import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DevPostgres, startDevPostgres } from '../../apps/server/src/dev/postgres.ts'
import { carriedDump } from '../../services/sql-databases/src/backups/carried.ts'
import { loadScript } from '../../services/sql-databases/src/host/dump-store.ts'

// The bundled development server, for whose version no distribution has client programs.
let folder = ''
let server: DevPostgres
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'icosa-carried-'))
  server = await startDevPostgres({ directory: folder })
}, 120_000)
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

async function session(address: string) {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

/** Creates a database with its own role, as for a tenant. */
async function database(name: string) {
  await using admin = await session(server.url)
  await admin.query(`create role ${name} login password 'a "secret" of %41+/'`)
  await admin.query(`grant ${name} to current_user`)
  await admin.query(`create database ${name} owner ${name}`)
  return Object.assign(new URL(server.url), { pathname: `/${name}`, username: name, password: '' }).href
}
const password = 'a "secret" of %41+/'
const as = (address: string) =>
  session(Object.assign(new URL(address), { password: encodeURIComponent(password) }).href)
const signIn = (address: string, password: string) => {
  const { hostname, port, username } = new URL(address)
  return { address: { host: hostname, port: Number(port) }, user: username, password }
}
const dumpOf = (address: string) => text(carriedDump(signIn(address, password), AbortSignal.timeout(120_000)))

const everything = `
create schema shop;
create extension pgcrypto;
create type shop.state as enum ('new', 'it''s paid', 'ü');
create type shop.place as (street text, number int);
create domain shop.price as numeric(12, 4) check (value >= 0);
create sequence shop.numbers start 7 increment 3;
create function shop.total(p shop.price, n int) returns numeric language plpgsql immutable as $body$
begin
  -- COPY shop.fake FROM stdin;
  return p * n; -- \\.
end $body$;
create table shop.orders (
  id bigint generated always as identity primary key,
  number int default nextval('shop.numbers') unique,
  state shop.state not null default 'new',
  price shop.price, at timestamptz, span interval, ratio float8, small float4,
  place shop.place, tags text[], data jsonb, raw bytea, note text, net inet, period tstzrange,
  total numeric generated always as (price * 2) stored,
  check (number > 0)
) with (fillfactor = 80);
create table shop.lines (order_id bigint references shop.orders on delete cascade, part int, primary key (order_id, part))
  partition by hash (order_id);
create table shop.lines_0 partition of shop.lines for values with (modulus 2, remainder 0);
create table shop.lines_1 partition of shop.lines for values with (modulus 2, remainder 1);
create index on shop.orders using gin (data);
create index upper_note on shop.orders (upper(note) collate "C") where note is not null;
create view shop.open as select * from shop.orders where state = 'new' with check option;
create materialized view shop.sums as select state, count(*) from shop.orders group by state;
create function shop.touch() returns trigger language plpgsql as 'begin new.at := coalesce(new.at, now()); return new; end';
create trigger touched before insert on shop.orders for each row execute function shop.touch();
create rule quiet as on delete to shop.orders where old.id < 0 do instead nothing;
alter table shop.lines_0 enable row level security;
create policy mine on shop.lines_0 using (true);
create statistics shop.together on state, price from shop.orders;
create aggregate shop.every_one(bool) (sfunc = booland_statefunc, stype = bool);
create operator shop.<=> (leftarg = int, rightarg = int, function = int4eq);
comment on table shop.orders is 'with a '' quote, and
a second line';
alter table shop.orders alter column note set storage external;
create unlogged table "Odd ""name""" ("select" int, "ü" text);
select lo_from_bytea(0, 'a large object');
insert into shop.orders (state, price, at, span, ratio, small, place, tags, data, raw, note, net, period)
select (array['new', 'it''s paid', 'ü'])[1 + n % 3]::shop.state, n / 7.0, timestamptz '2020-01-01' + n * interval '1 hour 1 us',
  n * interval '1 day 3 s', case when n % 50 = 0 then 'NaN' else n / 3.0 end, n / 3.0, row('a, "b"', n)::shop.place,
  array['x', null, 'a"b,c\\\\d'], jsonb_build_object('n', n, 'text', 'line' || chr(10) || 'ü'), decode(md5(n::text), 'hex'),
  case when n % 9 = 0 then null else E'tab\\tnew\\nline \\\\ back $$ ''quote''' || n end, '10.0.0.0/8', '[2020-01-01,2021-01-01)'
from generate_series(1, 1234) n;
insert into shop.lines select id, part from shop.orders, generate_series(1, 2) part;
insert into "Odd ""name""" values (1, 'x');
refresh materialized view shop.sums;
`
const rows = `select md5(string_agg(o::text, chr(10) order by id)) as orders, (select count(*) from shop.lines) as lines,
  (select md5(string_agg(s::text, ',' order by state)) from shop.sums s) as sums, nextval('shop.numbers') as next
  from shop.orders o`

test('the bundled pg_dump restores every kind of PostgreSQL object unchanged', async () => {
  const [first, second] = [await database('first'), await database('second')]
  await using there = await as(first)
  await there.query(everything)
  const script = await dumpOf(first)
  await using back = await as(second)
  await loadScript(back, script)
  expect(await dumpOf(second)).toBe(script)
  await back.query('reset search_path')
  expect((await back.query(rows)).rows).toEqual((await there.query(rows)).rows)
  expect(
    (await back.query("select convert_from(lo_get(oid), 'UTF8') as text from pg_largeobject_metadata")).rows,
  ).toEqual([{ text: 'a large object' }])
}, 120_000)

test('data that it would corrupt and a wrong password are refused', async () => {
  const address = await database('third')
  await using there = await as(address)
  await there.query('create table notes (text text)')
  await there.query('insert into notes values ($1)', ['first\n\\restrict me\nlast'])
  await expect(dumpOf(address)).rejects.toThrow(/restrict/)
  await expect(text(carriedDump(signIn(address, 'another'), AbortSignal.timeout(60_000)))).rejects.toThrow(
    /password authentication failed/,
  )
  await there.query('truncate notes')
  const aborted = AbortSignal.abort(new Error('enough'))
  await expect(text(carriedDump(signIn(address, password), aborted))).rejects.toThrow(/enough/)
}, 120_000)

test('a script that fails midway leaves nothing behind', async () => {
  const address = await database('fourth')
  await using there = await as(address)
  await expect(loadScript(there, 'create table one (id int); create table one (id int);')).rejects.toThrow(/exists/)
  await using again = await as(address)
  expect((await again.query("select to_regclass('one') as one")).rows).toEqual([{ one: null }])
})

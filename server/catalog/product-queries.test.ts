import { deepEqual } from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, type TestDatabase } from '../../test/support/database.ts'
import { connect, type Database } from '../db/connection.ts'
import { newId } from '../lib/ids.ts'
import { pricesOfProduct } from './price-queries.ts'
import { findProduct, listProducts } from './product-queries.ts'

let own: TestDatabase
let database: Database

before(async () => {
  own = await createTestDatabase()
  database = connect({ url: own.directUrl, max: 1 })
})
after(async () => {
  await database.close()
  await own.drop()
})

test('a product, its prices and pages of products are read by constant statements', async () => {
  const { db, pool } = database
  const businessId = newId()
  await findProduct(db, businessId, newId())
  await pricesOfProduct(db, businessId, newId())
  await listProducts(db, { businessId, active: undefined }, { limit: 10 })
  for (const cursor of ['starting_after', 'ending_before'])
    await listProducts(db, { businessId, active: undefined }, { limit: 10, [cursor]: newId() }).catch(() => {})
  const { rows } = await pool.query('select name from pg_prepared_statements order by name')
  deepEqual(
    // Built statements, such as the check of an unknown cursor, have numbers as names.
    rows.map(({ name }) => name).filter((name) => !/^s\d+$/.test(name)),
    ['find_product', 'prices_of_product_newest', 'products_after', 'products_before', 'products_newest'],
  )
})

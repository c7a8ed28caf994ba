import type { BatchesApi } from './batches-api.ts'
import type { CalendarApi } from './calendar-api.ts'
import type { CatalogApi } from './catalog-api.ts'
import type { ContractsApi } from './contracts-api.ts'
import type { CredentialsApi } from './credentials-api.ts'
import type { CustomersApi } from './customers-api.ts'
import type { GooglePayKeysApi } from './google-pay-keys-api.ts'
import type { HomeApi } from './home-api.ts'
import type { PaymentsApi } from './payments-api.ts'
import type { SearchApi } from './search-api.ts'
import type { SessionsApi } from './sessions-api.ts'
import type { SettingsApi } from './settings-api.ts'
import type { SubscriptionsApi } from './subscriptions-api.ts'
import type { TeamApi } from './team-api.ts'
import type { TestToolsApi } from './test-tools-api.ts'
import type { ViewsApi } from './views-api.ts'
import type { WebhooksApi } from './webhooks-api.ts'

// The private API of the dashboard's pages: method and path below `/dashboard/api/b/{business_id}`, with request and
// response. The server's routes and the pages' calls are type-checked against it.

export type DashboardApi = BatchesApi &
  CalendarApi &
  CatalogApi &
  ContractsApi &
  CredentialsApi &
  CustomersApi &
  GooglePayKeysApi &
  HomeApi &
  PaymentsApi &
  SearchApi &
  SessionsApi &
  SettingsApi &
  SubscriptionsApi &
  TeamApi &
  TestToolsApi &
  ViewsApi &
  WebhooksApi

/** Method and path, such as `GET /payments/{id}`. */
export type EndpointName = keyof DashboardApi & `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`
export type ResponseOf<Name extends EndpointName> = DashboardApi[Name] extends { response: infer Response }
  ? Response
  : never
export type BodyOf<Name extends EndpointName> = DashboardApi[Name] extends { body: infer Body } ? Body : undefined
export type QueryOf<Name extends EndpointName> = DashboardApi[Name] extends { query: infer Query } ? Query : undefined

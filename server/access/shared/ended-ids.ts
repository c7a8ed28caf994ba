/** Credentials of one kind that end together. */
export interface EndedIds {
  businessId: string
  ids: readonly string[]
  at: Date
}

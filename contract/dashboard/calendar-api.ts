/** The calls of the dashboard's pages about calendar. */
export type CalendarApi = Record<never, never>

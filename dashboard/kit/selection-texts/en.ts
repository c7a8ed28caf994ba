export const en = {
  selected: { one: '# row selected', other: '# rows selected' },
  noneSelected: 'No rows selected',
  selectAll: 'Select all rows of this page',
  select: 'Select {name}',
  bar: 'Selected rows',
  clear: 'Clear the selection',
  leftAsItWas: { one: '# row was left as it was', other: '# rows were left as they were' },
  failedOf: '{name}: {reason}',
}

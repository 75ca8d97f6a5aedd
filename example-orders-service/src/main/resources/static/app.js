'use strict';

const SHOWN = 50;
const CHECKED_PER_TICK = 20;
const element = id => document.getElementById(id);
const orders = [];
const backlogs = [];
let turn = 0;
let rendered = '';

async function request(path, options) {
  const response = await fetch(path, options);
  const body = response.status === 204 ? null : await response.json();
  if (!response.ok) {
    const fields = (body.errors || []).map(error => `${error.field} ${error.message}`).join(', ');
    throw new Error(fields || body.detail || `${path} answered ${response.status}`);
  }
  return body;
}

const post = (path, body) => request(path, {
  method: 'POST',
  headers: {'Content-Type': 'application/json'},
  body: body && JSON.stringify(body)
});

async function reported(work) {
  element('problem').textContent = '';
  try {
    await work();
  } catch (problem) {
    element('problem').textContent = problem.message;
  }
  render();
}

function wanted() {
  const form = element('place').elements;
  return {customer: form.customer.value, amountCents: Math.round(form.amount.valueAsNumber * 100)};
}

async function place() {
  const order = await post('orders', wanted());
  orders.unshift({...order, invoices: []});
  return orders[0];
}

async function confirm(order) {
  Object.assign(order, await post(`orders/${order.id}/confirm`));
}

async function placeAndConfirm(count) {
  for (let i = 0; i < count; i++) {
    await confirm(await place());
    render();
  }
}

// Orders that have their invoice are asked about again, in turn: a second one would show.
async function findInvoices() {
  const confirmed = orders.filter(order => order.status === 'confirmed');
  const waiting = confirmed.filter(order => order.invoices.length === 0);
  const again = confirmed[turn % confirmed.length];
  turn++;
  const checked = new Set([...waiting.slice(-CHECKED_PER_TICK), again].filter(Boolean));
  await Promise.all([...checked].map(async order => {
    order.invoices = await request(`invoices?orderId=${order.id}`);
  }));
}

async function metric(name) {
  try {
    return (await request(`actuator/metrics/${name}`)).measurements[0].value;
  } catch {
    return null;
  }
}

async function watchBacklog() {
  const [backlog, age] = await Promise.all([metric('outbox.backlog'), metric('outbox.oldest.age')]);
  element('backlog').textContent = backlog ?? '–';
  element('backlog').classList.toggle('alarm', backlog > 0);
  element('age').textContent = age === null ? '–' : `${Math.round(age)} s`;
  backlogs.push(backlog ?? 0);
  backlogs.splice(0, backlogs.length - 120);
  const peak = Math.max(1, ...backlogs);
  element('peak').textContent = Math.max(...backlogs);
  element('line').setAttribute('points', backlogs.map((value, i) => `${i},${29 - 28 * value / peak}`).join(' '));
}

async function watchBroker() {
  const response = await fetch('dev/broker');
  element('broker').hidden = !response.ok;
  if (response.ok) {
    const broker = await response.json();
    element('broker-state').textContent = broker.running
      ? `Running at ${broker.bootstrapServers}, process ${broker.pid}`
      : `Dead. It will come back at ${broker.bootstrapServers} with all it had.`;
    element('kill').disabled = !broker.running;
    element('start').disabled = broker.running;
  }
}

function cell(row, content, className) {
  const td = row.insertCell();
  td.className = className || '';
  td.append(content);
}

function confirmButton(order) {
  const button = document.createElement('button');
  button.textContent = 'Confirm';
  button.onclick = () => reported(() => confirm(order));
  return button;
}

function invoiceText(order) {
  if (order.invoices.length > 0) {
    return order.invoices.map(invoice => `No. ${invoice.number}`).join(', ');
  }
  return order.status === 'confirmed' ? 'on its way' : '';
}

function row(order) {
  const tr = document.createElement('tr');
  const id = document.createElement('code');
  id.textContent = order.id.slice(0, 8);
  id.title = order.id;
  cell(tr, id);
  cell(tr, order.customer);
  cell(tr, (order.amountCents / 100).toFixed(2), 'number');
  cell(tr, order.status === 'pending' ? confirmButton(order) : order.status);
  cell(tr, invoiceText(order));
  return tr;
}

function render() {
  const state = JSON.stringify(orders);
  if (state === rendered) {
    return; // a row replaced between press and release of the mouse would lose the click
  }
  rendered = state;
  element('orders').replaceChildren(...orders.slice(0, SHOWN).map(row));
  element('none').hidden = orders.length > 0;
  element('confirmed').textContent = orders.filter(order => order.status === 'confirmed').length;
  element('invoiced').textContent = orders.reduce((sum, order) => sum + order.invoices.length, 0);
}

async function tick() {
  await Promise.allSettled([watchBacklog(), watchBroker(), findInvoices()]);
  render();
  setTimeout(tick, 1000);
}

element('place').onsubmit = event => {
  event.preventDefault();
  reported(place);
};
element('many').onclick = () => reported(() => placeAndConfirm(100));
element('kill').onclick = () => reported(() => post('dev/broker/kill').then(watchBroker));
element('start').onclick = () => reported(() => post('dev/broker/start').then(watchBroker));
tick();

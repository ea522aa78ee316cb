/* SPDX-License-Identifier: Apache-2.0 */
/* The page is complete without this script. It adds sorting, filtering, and opening what a link points to. */
'use strict';
(() => {
    const make = (name, text, attributes) => {
        const element = document.createElement(name);
        element.textContent = text;
        for (const [key, value] of Object.entries(attributes || {}))
            element.setAttribute(key, value);
        return element;
    };

    /* ---- sorting ---- */

    const collator = new Intl.Collator('en', {numeric: true});

    /* Below every number come bounds ("< 3.0e-6"), and below these cells without a number. */
    const numberOf = text => {
        const found = text.replace(/,/g, '').match(/\d[\d.]*(e[-+]?\d+)?/);
        if (!found)
            return -1;
        return text.includes('<') ? 1e-30 * Number(found[0]) : Number(found[0]);
    };

    const sortRows = (body, rows, column, numeric, direction) => {
        const keyed = rows.map((row, index) => {
            const text = row.cells[column].textContent.trim();
            return {row, index, key: numeric ? numberOf(text) : text};
        });
        const compare = numeric ? (a, b) => a - b : collator.compare;
        if (direction !== 0)
            keyed.sort((a, b) => direction * compare(a.key, b.key) || a.index - b.index);
        body.append(...keyed.map(item => item.row));
    };

    /* The first press sorts numbers from the largest and texts from A, the second the other way, the third as it was. */
    const addSorting = (table, body, rows) => {
        const heads = [...table.tHead.rows[0].cells];
        heads.forEach((head, column) => {
            const numeric = 'n' in head.dataset;
            const button = make('button', '', {type: 'button'});
            button.append(...head.childNodes);
            head.append(button);
            head.setAttribute('aria-sort', 'none');
            button.addEventListener('click', () => {
                const orders = numeric ? ['descending', 'ascending', 'none'] : ['ascending', 'descending', 'none'];
                const next = orders[(orders.indexOf(head.getAttribute('aria-sort')) + 1) % 3];
                heads.forEach(other => other.setAttribute('aria-sort', 'none'));
                head.setAttribute('aria-sort', next);
                sortRows(body, rows, column, numeric, {ascending: 1, descending: -1, none: 0}[next]);
            });
        });
    };

    /* ---- filtering ---- */

    const valueOf = (row, filter) => {
        const text = row.cells[filter.column].textContent.trim();
        return filter.family ? text.split('+')[0] : text;
    };

    const makeSelect = (rows, filter) => {
        const select = make('select', '');
        const values = [...new Set(rows.map(row => valueOf(row, filter)))].sort(collator.compare);
        select.append(make('option', 'all', {value: ''}));
        values.forEach((value, index) => {
            select.append(make('option', value || '(none)', {value: String(index + 1)}));
        });
        filter.wanted = () => (select.value === '' ? null : values[Number(select.value) - 1]);
        return {select, useful: values.length > 1};
    };

    const addFilters = (table, rows) => {
        const bar = make('div', '', {class: 'filter', role: 'search'});
        const count = make('output', '');
        const filters = [];
        const cards = rows.map(row => {
            const link = row.querySelector('th a[href^="#"]');
            const target = link && document.getElementById(decodeURIComponent(link.hash.slice(1)));
            return target && target.closest('details');
        });
        const texts = rows.map(row => row.textContent.toLowerCase());
        const words = make('input', '', {type: 'search', placeholder: 'part of a name or a word', autocomplete: 'off'});
        const apply = () => {
            const wanted = words.value.toLowerCase().split(/\s+/).filter(word => word);
            const chosen = filters.map(filter => [filter, filter.wanted()]).filter(([, value]) => value !== null);
            let shown = 0;
            rows.forEach((row, index) => {
                const fits = wanted.every(word => texts[index].includes(word)) &&
                    chosen.every(([filter, value]) => valueOf(row, filter) === value);
                row.hidden = !fits;
                shown += fits;
                if (cards[index])
                    cards[index].hidden = !fits;
            });
            count.textContent = shown + ' of ' + rows.length + ' rows';
        };
        const label = make('label', 'Filter ');
        label.append(words);
        bar.append(label);
        [...table.tHead.rows[0].cells].forEach((head, column) => {
            if (!('f' in head.dataset))
                return;
            const filter = {column, family: head.dataset.f === 'Family'};
            const {select, useful} = makeSelect(rows, filter);
            if (!useful)
                return;
            const holder = make('label', head.dataset.f + ' ');
            holder.append(select);
            bar.append(holder);
            filters.push(filter);
            select.addEventListener('change', apply);
        });
        const reset = make('button', 'Show all', {type: 'button'});
        reset.addEventListener('click', () => {
            words.value = '';
            bar.querySelectorAll('select').forEach(select => {
                select.value = '';
            });
            apply();
        });
        words.addEventListener('input', apply);
        bar.append(reset, count);
        table.parentElement.before(bar);
        apply();
    };

    document.querySelectorAll('table.rows').forEach(table => {
        const body = table.tBodies[0];
        const rows = [...body.rows];
        addFilters(table, rows);
        addSorting(table, body, rows);
    });

    /* ---- opening ---- */

    const openTarget = () => {
        let target = null;
        try {
            target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        } catch (error) {
            return; /* a fragment that is not text */
        }
        const card = target && target.closest('details');
        if (!card)
            return;
        for (let around = card; around; around = around.parentElement && around.parentElement.closest('details')) {
            around.hidden = false;
            around.open = true;
        }
        target.scrollIntoView();
    };
    window.addEventListener('hashchange', openTarget);
    openTarget();

    const cards = document.getElementById('cards');
    if (cards) {
        const buttons = make('p', '', {class: 'filter'});
        [['Open all that are shown', true], ['Close all', false]].forEach(([text, open]) => {
            const button = make('button', text, {type: 'button'});
            button.addEventListener('click', () => {
                cards.querySelectorAll('details').forEach(card => {
                    card.open = open && !card.hidden;
                });
            });
            buttons.append(button);
        });
        cards.before(buttons);
    }
})();

/* SPDX-License-Identifier: Apache-2.0 */
/* The page is complete without this script. It adds sorting, filtering, opening what a link points to, copying, and files of
   its tables. What is filtered and sorted is in the address: #PLACE?q=WORDS&result=seen&sort=3-descending. */
'use strict';
(() => {
    const make = (name, text, attributes) => {
        const element = document.createElement(name);
        element.textContent = text;
        for (const [key, value] of Object.entries(attributes || {}))
            element.setAttribute(key, value);
        return element;
    };

    /* ---- the address ---- */

    const readAddress = () => {
        const [place, query] = location.hash.slice(1).split('?');
        return {place, state: new URLSearchParams(query || '')};
    };

    let state = readAddress().state;

    const writeAddress = () => {
        const query = state.toString();
        history.replaceState(null, '', '#' + readAddress().place + (query ? '?' + query : ''));
    };

    const keep = (name, value) => {
        if (value)
            state.set(name, value);
        else
            state.delete(name);
        writeAddress();
    };

    /* ---- sorting ---- */

    /* The heading of each column. One that spans several stands for those in the second row below it. */
    const headsOf = table => {
        const below = table.tHead.rows.length > 1 ? [...table.tHead.rows[1].cells] : [];
        return [...table.tHead.rows[0].cells].flatMap(
            head => (head.classList.contains('device') ? below.splice(0, head.colSpan) : [head]));
    };

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
        const heads = headsOf(table);
        heads.forEach((head, column) => {
            const numeric = 'n' in head.dataset;
            const button = make('button', '', {type: 'button'});
            button.append(...head.childNodes);
            head.append(button);
            head.setAttribute('aria-sort', 'none');
            const sort = next => {
                heads.forEach(other => other.setAttribute('aria-sort', 'none'));
                head.setAttribute('aria-sort', next);
                sortRows(body, rows, column, numeric, {ascending: 1, descending: -1, none: 0}[next]);
            };
            button.addEventListener('click', () => {
                const orders = numeric ? ['descending', 'ascending', 'none'] : ['ascending', 'descending', 'none'];
                const next = orders[(orders.indexOf(head.getAttribute('aria-sort')) + 1) % 3];
                sort(next);
                keep('sort', next === 'none' ? '' : column + '-' + next);
            });
            const wanted = /^(\d+)-(ascending|descending)$/.exec(state.get('sort') || '');
            if (wanted && Number(wanted[1]) === column)
                sort(wanted[2]);
        });
    };

    /* ---- filtering ---- */

    const valueOf = (row, filter) => {
        const text = row.cells[filter.column].textContent.trim();
        return filter.family ? text.split('+')[0] : text;
    };

    /* A column with data-plain has an ordinary value: then all others are one choice, "different", which is chosen at first. */
    const makeSelect = (rows, filter) => {
        const select = make('select', '');
        const values = [...new Set(rows.map(row => valueOf(row, filter)))].sort(collator.compare);
        const plain = filter.plain && values.length > 1 && values.includes(filter.plain);
        select.append(make('option', 'all', {value: ''}));
        if (plain)
            select.append(make('option', 'different', {value: 'different'}));
        values.forEach((value, index) => {
            select.append(make('option', value || '(none)', {value: String(index + 1)}));
        });
        filter.first = plain ? 'different' : '';
        filter.fits = value => select.value === '' || (select.value === 'different' ? value !== filter.plain
            : value === values[Number(select.value) - 1]);
        filter.choose = text => {
            const option = [...select.options].find(one => one.textContent === text);
            select.value = option ? option.value : filter.first;
        };
        filter.save = () => keep(filter.name,
            select.value === filter.first ? '' : select.selectedOptions[0].textContent);
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
            let shown = 0;
            rows.forEach((row, index) => {
                const fits = wanted.every(word => texts[index].includes(word)) &&
                    filters.every(filter => filter.fits(valueOf(row, filter)));
                row.hidden = !fits;
                shown += fits;
                if (cards[index] && cards[index].closest('#cards'))
                    cards[index].hidden = !fits;
            });
            count.textContent = shown + ' of ' + rows.length + ' rows';
        };
        const label = make('label', 'Filter ');
        label.append(words);
        bar.append(label);
        headsOf(table).forEach((head, column) => {
            if (!('f' in head.dataset))
                return;
            const filter = {column, family: head.dataset.f === 'Family', plain: head.dataset.plain,
                name: head.dataset.f.toLowerCase().replace(/ /g, '-')};
            const {select, useful} = makeSelect(rows, filter);
            if (!useful)
                return;
            const holder = make('label', head.dataset.f + ' ');
            holder.append(select);
            bar.append(holder);
            filters.push(filter);
            select.addEventListener('change', () => {
                filter.save();
                apply();
            });
        });
        const restore = () => {
            words.value = state.get('q') || '';
            filters.forEach(filter => filter.choose(state.get(filter.name)));
            apply();
        };
        const reset = make('button', 'Show all', {type: 'button'});
        reset.addEventListener('click', () => {
            words.value = '';
            words.dispatchEvent(new Event('input'));
            filters.forEach(filter => {
                filter.choose('all');
                filter.save();
            });
            apply();
        });
        words.addEventListener('input', () => {
            keep('q', words.value.trim());
            apply();
        });
        bar.append(reset, count);
        table.parentElement.before(bar);
        restore();
        return restore;
    };

    /* ---- files ---- */

    const textOf = cell => [...cell.childNodes].filter(node => !(node.matches && node.matches('.copy')))
        .map(node => node.textContent).join(' ').replace(/\s+/g, ' ').trim();

    /* The rows that are shown as objects, named by their headings; numbers are numbers. */
    const rowsOf = (table, whole) => {
        const names = headsOf(table).map(head => head.dataset.name || textOf(head));
        const held = names.map(() => ({left: 0}));
        return [...table.tBodies[0].rows].filter(row => whole || !row.hidden).map(row => {
            const {name, ...object} = table.dataset;
            const cells = [...row.cells];
            held.forEach((from, column) => { /* a cell that spans several rows is in each of them */
                if (from.left-- > 0)
                    cells.splice(column, 0, from.cell);
                else if (cells[column])
                    held[column] = {cell: cells[column], left: cells[column].rowSpan - 1};
            });
            cells.forEach((cell, column) => {
                const text = textOf(cell);
                if (names[column])
                    object[names[column]] = /^-?\d[\d,]*(\.\d+)?(e[-+]?\d+)?$/.test(text) ? Number(text.replace(/,/g, '')) : text;
            });
            return object;
        });
    };

    /* A text that a spreadsheet would take for a formula gets an apostrophe. */
    const toCsv = rows => {
        const quote = value => '"' + String(value).replace(/^(?=[=+@\-][^\d.])/, "'").replace(/"/g, '""') + '"';
        const names = [...new Set(rows.flatMap(row => Object.keys(row)))];
        return [names, ...rows.map(row => names.map(name => row[name] ?? ''))]
            .map(row => row.map(quote).join(',') + '\r\n').join('');
    };

    const save = (name, type, text) => {
        const link = make('a', '', {download: name, href: URL.createObjectURL(new Blob([text], {type}))});
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    };

    const addButton = (place, text, action) => {
        const button = make('button', text, {type: 'button'});
        button.addEventListener('click', action);
        place.append(button);
    };

    const addFiles = table => {
        const name = table.dataset.name;
        let bar = table.parentElement.previousElementSibling;
        if (!bar || !bar.matches('.filter')) {
            bar = make('div', '', {class: 'tools'});
            table.parentElement.after(bar);
        }
        addButton(bar, 'CSV', () => save(name + '.csv', 'text/csv', toCsv(rowsOf(table, false))));
        addButton(bar, 'JSON', () => save(name + '.json', 'application/json', JSON.stringify(rowsOf(table, false), null, 1)));
    };

    /* All tables of the page, those of one name together. */
    const addWhole = () => {
        const tables = [...document.querySelectorAll('table.data')], nav = document.querySelector('nav ul');
        if (!nav || tables.length === 0)
            return;
        const item = make('li', '', {class: 'tools'});
        addButton(item, 'Download all as JSON', () => {
            const all = {title: document.title};
            tables.forEach(table => {
                (all[table.dataset.name] ||= []).push(...rowsOf(table, true));
            });
            save('orchil.json', 'application/json', JSON.stringify(all, null, 1));
        });
        nav.append(item);
    };

    /* ---- copying ---- */

    const copy = async (text, button) => {
        const before = button.textContent;
        try {
            await navigator.clipboard.writeText(text);
        } catch (error) { /* not allowed here: the old way */
            const area = make('textarea', text, {readonly: ''});
            button.after(area);
            area.select();
            document.execCommand('copy');
            area.remove();
        }
        button.textContent = 'copied';
        setTimeout(() => {
            button.textContent = before;
        }, 1500);
    };

    const addCopy = (place, what, text, give) => {
        const button = make('button', text, {type: 'button', class: 'copy', 'aria-label': what});
        button.addEventListener('click', event => {
            event.preventDefault(); /* in a summary, it does not open */
            copy(give(), button);
        });
        place.insertBefore(button, place.querySelector(':scope > small'));
    };

    document.querySelectorAll('code.command').forEach(code => {
        const text = code.textContent;
        const holder = make('span', '');
        code.after(holder);
        addCopy(holder, 'Copy this command', 'copy', () => text);
    });
    document.querySelectorAll('#cards > details > [id]').forEach(card => {
        card.prepend(make('p', 'Link to this test:', {class: 'dim', 'data-link': ''}));
    });
    document.querySelectorAll('[data-link]').forEach(place => {
        const holder = place.closest('[id]');
        addCopy(place, 'Copy a link to this', 'link', () => location.href.split('#')[0] + '#' + holder.id);
    });

    const restorers = [];
    const few = 4; // rows that a reader sees at once
    [...document.querySelectorAll('table.rows')].filter(table => table.tBodies[0].rows.length > few || table.matches('.data')).forEach(table => {
        const body = table.tBodies[0];
        const rows = [...body.rows];
        addSorting(table, body, rows);
        restorers.push(addFilters(table, rows));
    });
    document.querySelectorAll('table.data:not(.hist)').forEach(addFiles);
    addWhole();

    /* ---- opening ---- */

    const openTarget = () => {
        let target = null;
        try {
            target = document.getElementById(decodeURIComponent(readAddress().place));
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
    window.addEventListener('hashchange', () => {
        if (location.hash.includes('?')) {
            state = readAddress().state;
            restorers.forEach(restore => restore());
        } else {
            writeAddress(); /* a link of the page: what is filtered stays */
        }
        openTarget();
    });
    openTarget();

    const cards = document.getElementById('cards');
    if (cards) {
        const buttons = make('p', '', {class: 'filter'}), words = document.querySelector('#map .filter input');
        if (words) { /* the map's filter once more, where the cards are */
            const label = make('label', 'Filter '), again = words.cloneNode();
            const follow = () => {
                again.value = words.value;
            };
            again.addEventListener('input', () => {
                words.value = again.value;
                words.dispatchEvent(new Event('input'));
            });
            words.addEventListener('input', follow);
            window.addEventListener('hashchange', follow);
            follow();
            label.append(again);
            buttons.append(label);
        }
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

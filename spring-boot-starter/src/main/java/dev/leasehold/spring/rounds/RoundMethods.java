package dev.leasehold.spring.rounds;

import dev.leasehold.Schedule;
import dev.leasehold.rounds.Promise;
import dev.leasehold.rounds.Round;
import dev.leasehold.rounds.RoundWork;
import dev.leasehold.spring.Cron;
import dev.leasehold.spring.text.AnnotationTexts;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.EmbeddedValueResolver;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttributeSource;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** Finds methods with {@link dev.leasehold.spring.Round}, on beans that need not be there yet, and makes rounds of them. */
final class RoundMethods {

    private static final String SPREAD = "spread";

    private final ConfigurableListableBeanFactory beans;
    private final AnnotationTexts texts;
    private final SpringTransactions transactions;
    private final TransactionAttributeSource transactional;

    RoundMethods(ConfigurableListableBeanFactory beans, SpringTransactions transactions) {
        this.beans = beans;
        this.texts = new AnnotationTexts(beans);
        this.transactions = transactions;
        this.transactional = transactional(beans);
    }

    /** Knows Spring's annotation and those of others, and fills in their texts, as Spring does. */
    private static TransactionAttributeSource transactional(ConfigurableListableBeanFactory beans) {
        var source = new AnnotationTransactionAttributeSource(false);
        source.setEmbeddedValueResolver(new EmbeddedValueResolver(beans));
        return source;
    }

    /**
     * All of them.
     *
     * @throws IllegalStateException for one that cannot be a round; names the method, the value and the rule
     */
    List<Round> find() {
        List<Round> rounds = new ArrayList<>();
        each(beans, (name, type, method, annotation) -> rounds.add(round(name, type, method, annotation)));
        return rounds;
    }

    /** All of them for people, as {@code Reports.report}; makes no bean, and refuses none. */
    static List<String> described(ConfigurableListableBeanFactory beans) {
        List<String> described = new ArrayList<>();
        each(beans, (name, type, method, annotation) -> described.add(described(method)));
        return described;
    }

    @FunctionalInterface
    private interface Found {

        void accept(String beanName, Class<?> type, Method method, dev.leasehold.spring.Round annotation);
    }

    private static void each(ConfigurableListableBeanFactory beans, Found found) {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, dev.leasehold.spring.Round.class)) {
                MethodIntrospector.selectMethods(type, RoundMethods::annotation)
                        .forEach((method, annotation) -> found.accept(name, type, method, annotation));
            }
        }
    }

    private static String described(Method method) {
        return ClassUtils.getUserClass(method.getDeclaringClass()).getSimpleName() + "." + method.getName();
    }

    private static dev.leasehold.spring.@Nullable Round annotation(Method method) {
        return AnnotatedElementUtils.findMergedAnnotation(method, dev.leasehold.spring.Round.class);
    }

    private Round round(String beanName, Class<?> type, Method method, dev.leasehold.spring.Round annotation) {
        try {
            if (!beans.isSingleton(beanName)) {
                throw new IllegalArgumentException(
                        "the bean " + beanName + " is no singleton, so it is not clear which to call");
            }
            Object bean = beans.getBean(beanName);
            Roundable.check(method, type, bean);
            Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
            invocable.setAccessible(true);
            refuseTransactionsApart(annotation, method, type);
            return described(annotation, work(bean, invocable));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new IllegalStateException("@Round of " + described(method) + ": " + e.getMessage(), e);
        }
    }

    /** Effects that are committed by themselves are there, whatever becomes of the slot. */
    private void refuseTransactionsApart(dev.leasehold.spring.Round annotation, Method method, Class<?> type) {
        if (annotation.promise() != Promise.EXACTLY_ONCE) {
            return;
        }
        TransactionAttribute transaction = transactional.getTransactionAttribute(method, type);
        if (transaction == null) {
            return;
        }
        String needed = "EXACTLY_ONCE needs its effects in the transaction that counts the slot, but ";
        Propagation propagation = propagation(transaction);
        switch (propagation) {
            case NOT_SUPPORTED, REQUIRES_NEW, NEVER ->
                throw new IllegalArgumentException(needed + propagation + " keeps them out of it");
            case REQUIRED, SUPPORTS, MANDATORY, NESTED -> {}
        }
        String manager = transaction.getQualifier();
        try {
            if (StringUtils.hasText(manager) && !transactions.isTheOne(beans, manager)) {
                throw new IllegalArgumentException(needed + "they are in one of the manager " + manager);
            }
        } catch (BeansException e) {
            throw new IllegalArgumentException(needed + "there is no one manager " + manager, e);
        }
    }

    private static Propagation propagation(TransactionAttribute transaction) {
        return Arrays.stream(Propagation.values())
                .filter(one -> one.value() == transaction.getPropagationBehavior())
                .findFirst()
                .orElseThrow();
    }

    private static RoundWork work(Object bean, Method method) {
        return method.getParameterCount() == 0
                ? context -> invoke(bean, method)
                : context -> invoke(bean, method, context);
    }

    private static void invoke(Object bean, Method method, Object... arguments) throws Exception {
        try {
            Roundable.checkReturned(method.invoke(bean, arguments));
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }

    private Round described(dev.leasehold.spring.Round annotation, RoundWork work) {
        String name = texts.text(annotation.name())
                .orElseThrow(() -> new IllegalArgumentException("it has no name: say @Round(\"name\")"));
        Round.Builder builder = Round.named(name)
                .scope(annotation.scope())
                .onLoss(annotation.onLoss())
                .deathLimit(annotation.deathLimit())
                .promise(annotation.promise());
        schedule(annotation, builder);
        texts.duration("runTimeout", annotation.runTimeout()).ifPresent(builder::runTimeout);
        texts.duration("retryAfter", annotation.retryAfter()).ifPresent(builder::retryAfter);
        return builder.work(annotation.promise() == Promise.EXACTLY_ONCE ? transactions.exactlyOnce(work) : work);
    }

    private void schedule(dev.leasehold.spring.Round annotation, Round.Builder builder) {
        Optional<String> cron = texts.text(annotation.cron());
        if (cron.isPresent()) {
            if (texts.text(annotation.every()).isPresent()
                    || texts.text(annotation.offset()).isPresent()) {
                throw new IllegalArgumentException("cron is \"" + cron.get()
                        + "\", but every and offset describe another schedule: use one of the two");
            }
            Schedule schedule = Cron.of(cron.get(), zone(annotation));
            builder.schedule(schedule);
            return;
        }
        if (texts.text(annotation.zone()).isPresent()) {
            throw new IllegalArgumentException("zone is \"" + annotation.zone() + "\", but only cron has one");
        }
        builder.every(texts.duration("every", annotation.every())
                .orElseThrow(() -> new IllegalArgumentException(
                        "it has no period: say every = \"10s\", or cron = \"0 30 2 * * *\"")));
        if (texts.text(annotation.offset()).filter(SPREAD::equals).isPresent()) {
            builder.spread();
        } else {
            texts.duration("offset", annotation.offset()).ifPresent(builder::offset);
        }
    }

    private ZoneId zone(dev.leasehold.spring.Round annotation) {
        try {
            return texts.text(annotation.zone()).map(ZoneId::of).orElse(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("zone is \"" + annotation.zone() + "\", but there is no such zone", e);
        }
    }
}
